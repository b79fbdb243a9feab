// Package args reads the words that the command line shares: UNIT, INSTANT,
// DURATION, the time zone, and removals (UNIT@INSTANT).
package args
