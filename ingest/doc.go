// Package ingest says what a log says: it turns the events of one engine's log
// into engine-neutral rows, and nothing more. What has to be concluded (which
// shuffle a stage wrote, where an output lives) is package lineage's.
//
// The way of the data:
//
//  1. ingest/source opens what the user named and yields blocks of whole lines
//     with their positions.
//  2. A format package (ingest/spark) decodes a block into a Batch: events in
//     the order of the log, in the words of this package. Blocks are decoded
//     in parallel; batches come back in order.
//  3. Recorder takes the batches in order, fills in what later events tell of
//     earlier ones (a task that never ended, a worker that was removed), finds
//     events whose partner is absent, writes the rows of the tables declared in
//     tables.go, and hands every event on to a Listener (package lineage).
//
// Rows carry seq, the ordinal of their line over all parts of the log (every
// line counts, read or not); table source maps it back to file and line.
// Times are int64 milliseconds on the coordinator's clock. Unknown is null.
package ingest
