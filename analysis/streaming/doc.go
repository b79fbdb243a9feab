// Package streaming turns what package replay tells of streaming queries into
// figures: what losing a machine costs per batch, how much state stands where,
// how far a restart of the coordinator goes back, and what a change of the
// number of workers moves and how long it stops the query.
//
//  1. Widths: the rows of table width, one per query and rule.
//  2. WidthCurves: the pause over the number of workers and over the size of
//     the state, for a figure.
//  3. New: figures by name, the sentences of a report, and its tables.
//
// docs/streaming.md has every formula. All functions are pure.
package streaming
