// Package sparkgen makes up Spark applications and writes what Spark would
// have logged of them, for tests and benchmarks.
//
// Generate draws a small application from a seed, runs it on a simulated
// cluster that loses workers and machines by Spark's rules, and returns the
// log together with the truth that the log's readers have to find: where every
// output stood and until when, which stage attempt read which shuffle, which
// attempts repeated finished work.
//
//  1. A plan (plan.go) is a graph of RDDs and a list of jobs over them.
//  2. The driver (driver.go) turns jobs into stages, submits those whose
//     parents are available, registers and unregisters outputs, and answers
//     fetch failures, after Spark's DAGScheduler.
//  3. Task sets (taskset.go) hand tasks to slots, retry, copy slow ones and
//     resubmit what a lost worker had finished, after Spark's TaskSetManager.
//  4. The cluster (cluster.go) is the physical side: which worker lives, what
//     a task really reads, when it notices that something is gone.
//  5. Every step that Spark logs is written by events.go.
//
// Big draws a large and plain run, in time linear in its tasks, and hands it
// on either as a log (WriteLog) or as finished table rows (WriteTables).
package sparkgen
