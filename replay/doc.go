// Package replay measures what losing workers and machines would have cost a
// recorded run.
//
//  1. OpenWorld copies the tables of one application into a World: the tables
//     world.* (docs/model.md). A policy rewrites them; nothing below reads the
//     trace itself.
//  2. The queries of sql/loss turn a world into loss.curve: for each unit, the
//     cost of its removal at every instant. They work on intervals, never on
//     instants times units times datasets, so the cost grows with the number of
//     outputs and not with its square.
//  3. Blast, HeatGrid, Expected and the other questions are queries on the
//     curve. Their rows are declared in package replay/result.
//
// Two machines, one shuffle of two outputs read by tasks that start at 60: at 50
// a removal of m1 costs what its one output took to make, because a reader will
// ask for it; at 90, when the last reader has ended, nothing.
package replay
