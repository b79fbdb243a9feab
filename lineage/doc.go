// Package lineage concludes from the events of a log which shuffles and cached
// RDDs there were, which stage read which, where every output lived from when
// to when, which workers left and why, and which pieces ran again.
//
// It listens to ingest.Recorder and follows the log event by event, keeping
// the tracker of map outputs that the engine itself kept:
//
//  1. A job's start lists its stages with their RDDs. The walk in walk.go turns
//     a stage's RDDs into the datasets that the stage reads: the nearest
//     shuffles, or the nearest cached RDDs, which cut the way further down.
//  2. A stage attempt's submission fixes what the attempt needs (table need):
//     its direct inputs, and below a cache that is not complete, that cache's
//     inputs too.
//  3. A task's end in success registers an output on the worker, or on what the
//     settings say keeps outputs (holder.go); a later success replaces it.
//  4. A lost worker, a lost machine or a failed fetch takes outputs away, by
//     the rules of the engine's version (rules.go, losses.go).
//  5. At the end of the application the rows are written (finish.go). A piece
//     that had succeeded before and ran again is a row of table rerun.
//
// Worked example: stage 0 writes shuffle A (2 pieces, p0 on worker w1, p1 on
// w2), stage 1 reads A and writes B. w1 is lost while stage 1 runs. A/p0's
// residence ends at the loss; stage 1's next attempt finds A incomplete;
// stage 0 attempt 1 runs p0 again on w2: its task is a re-run of A/p0 whose
// first success was on w1.
package lineage
