// Package sim replays a run on a simulated cluster, with and without losses.
//
// In comes a Log: the rows of one application's tables (or of a world that a
// policy made of them). Build makes a Run of it, which holds the work and the
// cluster in a compact form; a Sim simulates Runs, as often as wanted. What
// comes out is a Result: the makespan, what was done again, and with
// Options.Trace every attempt. Package replay loads Logs and writes results.
//
// Only durations, workers' lives and the coordinator's own gaps come from the
// log. When a piece starts, and where, is simulated:
//
//  1. A job is submitted when the jobs that it waited for have ended, and the
//     coordinator's gap has passed (build_jobs.go).
//  2. Its last stage is asked for. A stage whose inputs are there is submitted;
//     otherwise the stages that make the missing ones are asked for first
//     (dag.go). Which stages a job runs is thereby not copied: a shuffle that is
//     there already is not made again, one with a hole is.
//  3. Pending pieces go to free slots: the earlier job first, then the earlier
//     stage, then the earlier piece; workers in random order, one piece each a
//     pass (slots.go). Locality is not looked at.
//  4. A piece's time is that of its first success. What belongs to its place and
//     not to itself (unpacking, a fresh process, the hand-out of a wave) is kept
//     apart and given to whichever piece comes first on a slot (Entry).
//  5. A loss has two moments: gone and detected. What the engine does about it is
//     in rules.go, one table by version, and carried out in loss.go.
//
// Worked example: two workers w1 and w2 with one slot each; stage A has pieces
// a0 (10 s) and a1 (12 s), stage B reads A and has b0 (5 s) and b1 (5 s). A ends
// at 12 s, B at 17 s. w1, which holds a0, is gone at 15 s and given up at once:
// b0 on w1 is queued again and starts on w2 at 17 s, cannot read a0, and fails
// after 0.5 s. After 0.2 s A is submitted again for a0 alone, which ends at
// 27.7 s; then B for b0: the run ends at 32.7 s, with 10 s done again and 3 s
// lost in flight.
package sim
