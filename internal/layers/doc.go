// Package layers holds the house together: its tests fail when a package
// imports one that it must not see, and on what the project bans. The rules are
// tables at the head of the tests, each with the way out.
package layers
