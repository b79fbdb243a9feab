// Package naive is a second, plain implementation of docs/model.md, for tests.
// It shares neither lineage nor SQL with the product: from the ingest tables
// alone it rebuilds datasets, inputs, needs, outputs and residences, and it
// computes every figure of one removal at one instant by looping over them, in
// the words of the definitions. Slow is fine: it is for small runs.
//
//		rows := &naive.Rows{}                    // a table.Sink: record a log into it
//		w, err := naive.Load(rows)
//		for _, u := range w.Units(naive.WorkerUnit) {
//			for _, t := range w.Breakpoints(u) {
//				f := w.At(u, t)
//			}
//		}
//
//	 1. graph.go reads stages and RDDs as the log describes them, and finds out
//	    which map stage writes which shuffle.
//	 2. world.go holds the world, and the needs and inputs.
//	 3. replay.go follows the log line by line as the engine's coordinator did,
//	    registering outputs and taking them off.
//	 4. figures.go is "At one instant" of docs/model.md.
//
// # Readings of the model
//
// Where docs/model.md leaves something open, this package decides as follows.
//
// Identity:
//   - Which of several map stages over one map RDD writes which shuffle: what a
//     reading stage leaves no choice about is settled first, and takes choices
//     away from other reading stages; what is left then is given out by
//     ascending stage id to ascending (reading RDD, ordinal).
//   - A union or join partner may be the map RDD of the shuffle beside it: a
//     dependency of an RDD whose class reads shuffles is a shuffle when some
//     parent stage computes the RDD it points at, even if that RDD is also
//     inside the stage.
//   - An RDD's parents are those of the last description before the stage
//     attempt was submitted; the input table takes the last description of all,
//     so that a checkpoint cuts the climb even for the time before it.
//   - An RDD is a cached dataset when any stage attempt shows it as persisted.
//     A dataset's inputs are cut at the RDDs that some description of a stage that
//     makes it shows as persisted, an attempt's own reads at those that are
//     persisted as of that attempt.
//
// Outputs and residences:
//   - Success of a map task is an output unless the engine would not register
//     it: no running job lists the stage, the worker was already given up, or a
//     failure of the worker was recorded at the epoch of the task's attempt or
//     later (epochs are counted as Spark counts them).
//   - A fetch failure counts only when it comes from the latest attempt of its
//     stage. It takes the named output if it is the live one and stands at that
//     worker, and all outputs of that worker unless a failure of the worker was
//     recorded at the reader's epoch or later. A failure without an address
//     takes nothing.
//   - A worker's map outputs go at the first of its removal and the removal of
//     its block store, the latter only if the store does not come back before
//     the worker is removed. "worker lost" takes the whole machine's.
//   - With a shuffle service, a worker's removal takes no map output, but a
//     fetch failure does. That all workers of a machine are gone does not end
//     what its service holds: the log does not say that it died.
//   - Cached blocks end at the removal of the block store or of the worker.
//     If the store comes back, a logged block that was there before is the same
//     output in a new residence; in a log without block updates all that was
//     there is taken to be there again.
//   - The task that made a logged block is the one that ran on the worker, in a
//     stage with the RDD, whose partition leads to the block's (the same number
//     down narrow parents of as many partitions, counting on through a union);
//     of several the one launched first, because the engine lets the second
//     wait for the first. None: a copy of the piece's last output if there is
//     one, else an output without a task, of cost 0.
//   - A second cached copy on another worker does not replace the first.
//   - Without block updates, a success of partition p places block p of every
//     cached RDD on its way that has as many partitions as the stage's own RDD,
//     down to those of which p already stands. Any stage does so, not only the
//     first: whoever finds a block gone computes it and keeps it again. (On 4,000
//     generated runs this finds 91 % of the true blocks, the first stage alone 85 %.)
//
// Needs:
//   - A stage attempt reads a cache only if a block of it stood when the attempt
//     was submitted: what the attempt itself makes it does not wait for.
//   - A cache is complete when every partition of the RDD has a copy.
//   - "Never succeeded" asks for a Success in the log, registered or not. Pieces
//     that an attempt did not get to launch count when it is known which they
//     are (those missing at submission), else as never succeeded.
//   - A job that failed or has no end: a listed stage of which no attempt was
//     submitted since the job's start reads what it would have read when the job
//     was over (caches that were complete then shield). The latest attempt of a
//     stage needs until then if it had failed or not ended and the stage was not
//     done (a shuffle with a missing piece, a result with an unfinished one).
//   - A shuffle that nobody reads is needed until its latest making attempt ended.
//   - blocks_possible counts, for each finished reader, the pieces whose last
//     output has bytes, over all shuffles that the attempt reads.
//   - An attempt with zero tasks needs nothing.
//
// At one instant:
//   - The cost of a lost piece is that of its last output that still stood; that
//     of a hole the last one made.
//   - Low figures: a lost cached block whose place is only inferred neither
//     starts nor passes on anything, because low is what is surely redone. Holes
//     count as they do in high.
//   - A need that looks through a cache of which the log does not tell whether it
//     was complete adds nothing to low, unless it is that of the first stage
//     with the RDD, before which nothing can have been kept.
//   - A cache that never held anything hides nothing: the climb passes through
//     it, in low only if the log has block updates. (Otherwise losses below a
//     cache that was never seen to be stored would be free.)
//   - Engine redo takes, of a shuffle whose map stage runs and that is not
//     active anyway, all lost pieces, whichever attempt made them.
//   - A stage attempt runs from its submission to its end; without an end, to
//     the end of the log.
//   - The worst `known` is over the counted outputs: a map output on a worker
//     is logged, on a shuffle service derived, a cached block logged or
//     inferred. The bound of silently deleted shuffles is not modelled.
//   - The age is null when nothing is counted.
package naive
