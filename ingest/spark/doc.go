// Package spark reads the event log of Apache Spark, 1.2 to 4.1: blocks of
// JSON lines go in, batches of engine-neutral events (package ingest) come out.
//
// A block is read line by line:
//
//  1. Blank lines, a byte order mark and carriage returns are no trouble, but
//     every line counts for Seq.
//  2. The kind of an event is the last segment of its class name, after the
//     last '.' or '$': org.apache.spark.sql.streaming.StreamingQueryListener$QueryStartedEvent
//     is a QueryStartedEvent. kinds.go lists what is read and what is known
//     and left alone; all other kinds are counted as unknown.
//  3. Task starts and task ends, nearly all of a log, go through a cursor
//     over the bytes (cursor.go, fasttask.go). It knows the spelling that Spark
//     uses and gives up at the first surprise.
//  4. What the cursor gave up on, and all other events, go through jx, a strict
//     JSON reader (the files named after what they read). Both ways give the
//     same event; a fuzz test holds them to it.
//
// Two stretches of a task end are jumped over without a look at their bytes,
// the accumulables and the executor's peaks, half of a usual log. The jump is
// exact for all that is JSON (see [jumpAccumulables]) but does not notice broken
// JSON inside. Options.FullParse looks at every byte.
//
// Trouble in a line is a problem.Problem, at most one of a kind a line:
//
//   - malformed_line: not one JSON object. Of an object with text behind it the
//     object is used.
//   - cut_line: the last line of a log ends in the middle.
//   - missing_field: the event lacks what gives it meaning. Without an identity
//     (which stage, which task, which worker) it is dropped and the whole line
//     counts as skipped; otherwise it is used with the value unknown.
//   - bad_value: a field holds what it cannot hold; the value is unknown.
//
// Text from a log is made safe for its readers: invalid UTF-8 and NUL, which
// DuckDB's strings cannot hold, become U+FFFD, and free text is cut (text.go).
package spark
