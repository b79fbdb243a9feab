// Package postmortem tells, in words, what the recorded removals of a run cost
// and why finished work ran again.
//
// What comes in is what replay.Explain answers, as plain rows of package
// replay/result; what goes out are paragraphs: one for each removal that cost
// something, the costliest first, one line for all that cost nothing, then
// totals. Every number in them is one of the rows' numbers or a sum of these,
// written by package internal/human.
package postmortem
