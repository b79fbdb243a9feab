package lineage

import (
	"cmp"
	"slices"
	"strings"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// Windows of design: workers of one machine that go within machineWindowMs are
// one removal; removals within groupWindowMs of one another are one group.
const (
	machineWindowMs = 10_000
	groupWindowMs   = 180_000
)

// cause is what a stated reason says.
type cause struct {
	words  string // in lower case, found anywhere in the reason
	cause  string
	kind   string
	stated bool // the words settle the kind; timing does not overrule them
}

// causes are tried in order; the first whose words are found counts. The words
// are those that Spark and the cluster managers write, by version
// (spark-semantics: Removed Reason).
func causes() []cause {
	return []cause{
		{"worker lost", "node_lost", "withdrawal", true},
		{"lost node", "node_lost", "withdrawal", true},
		{"node lost", "node_lost", "withdrawal", true},
		{"exit status: -100", "node_lost", "withdrawal", true},
		{"spot instance", "node_lost", "withdrawal", true},
		{"spot interruption", "node_lost", "withdrawal", true},
		{"spot vm", "node_lost", "withdrawal", true},
		{"instance terminat", "node_lost", "withdrawal", true},
		{"remote rpc client disassociated", "disconnect", "unknown", false}, // "likely due to containers exceeding thresholds" is a guess
		{"spark scale down", "idle", "release", true},
		{"decommission", "decommission", "release", true},
		{"killed by driver", "idle", "release", true},
		{"preempt", "preempted", "exit", true},
		{"exclude", "excluded", "exit", true},
		{"blacklist", "excluded", "exit", true},
		{"exceeding", "out_of_memory", "exit", true},
		{"outofmemory", "out_of_memory", "exit", true},
		{"out of memory", "out_of_memory", "exit", true},
		{"oomkilled", "out_of_memory", "exit", true},
		{"exit code 52", "out_of_memory", "exit", true},
		{"exit status: 143", "killed", "exit", true},
		{"exit status: 137", "killed", "exit", true},
		{"exited with code", "exit_code", "exit", false},
		{"exit code", "exit_code", "exit", true},
		{"exited from explicit termination", "killed", "exit", true},
		{"deleted by a user", "killed", "exit", true},
		{"container marked as failed", "exit_code", "exit", true},
		{"bad node", "exit_code", "exit", true},
		{"heartbeat", "heartbeat", "unknown", false},
		{"disassociated", "disconnect", "unknown", false},
		{"slave lost", "disconnect", "unknown", false},
		{"process lost", "disconnect", "unknown", false},
		{"not found in the cluster", "disconnect", "unknown", false},
	}
}

// classify tells what a stated reason says.
func classify(reason string) cause {
	low := strings.ToLower(reason)
	for _, c := range causes() {
		if strings.Contains(low, c.words) {
			return c
		}
	}
	return cause{cause: "other", kind: "unknown"}
}

// causeOf is what the reason says, and what the log said before it: the engine
// kills a worker that it has excluded with the words of an idle release.
func causeOf(row *ingest.WorkerRow, f *ingest.AppFacts) cause {
	c := classify(row.Reason.V)
	if c.cause != "idle" || !killsExcluded(f.Settings) {
		return c
	}
	excluded := false
	for i := range f.Excluded {
		e := &f.Excluded[i]
		if e.Seq < row.RemovedSeq.V && (e.Worker == row.Worker || e.Worker == "" && row.Machine.OK && e.Host == row.Machine.V) {
			excluded = !e.Back
		}
	}
	if excluded {
		return cause{cause: "excluded", kind: "exit", stated: true}
	}
	return c
}

// killsExcluded tells whether the engine was told to kill what it excludes; the
// setting was renamed in Spark 3.1.
func killsExcluded(settings map[string]string) bool {
	return settings["spark.excludeOnFailure.killExcludedExecutors"] == "true" || settings["spark.blacklist.killBlacklistedExecutors"] == "true"
}

// leaving is one worker's removal.
type leaving struct {
	w       int32
	row     *ingest.WorkerRow
	c       cause
	ms      int64
	removal int64
	nth     int // of those of its machine, in the order of lines
}

// writeRemovals classifies the recorded removals and returns the removal that
// took each worker.
func (a *app) writeRemovals(f *ingest.AppFacts) map[int32]int64 {
	var all []*leaving
	for i := range f.Workers {
		row := &f.Workers[i]
		if row.RemovedSeq.OK && row.AddedSeq.OK && !row.IsCoordinator { // one never added never came up
			l := &leaving{w: a.workerID[row.Worker], row: row, c: causeOf(row, f)}
			l.ms = a.removedMs(l)
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(x, y *leaving) int { return cmp.Compare(x.row.RemovedSeq.V, y.row.RemovedSeq.V) })
	machines := machinesOf(f.Workers, all)
	of := map[int32]int64{}
	var rows []RemovalRow
	for _, l := range all {
		if l.removal != 0 {
			continue
		}
		id := int64(len(rows) + 1)
		members := machines.together(l)
		for _, m := range members {
			m.removal = id
			of[m.w] = id
			a.w.removalWorkers.Append(&RemovalWorkerRow{App: a.key, Removal: id, Worker: m.row.Worker, Ms: m.ms})
		}
		rows = append(rows, a.removalRow(id, members, machines))
	}
	group := int64(0)
	for i := range rows {
		if i == 0 || rows[i].DetectedMs-rows[i-1].DetectedMs > groupWindowMs {
			group++
		}
		rows[i].Group = group
		a.w.removals.Append(&rows[i])
	}
	return of
}

func (a *app) removedMs(l *leaving) int64 {
	if l.row.RemovedMs.OK {
		return l.row.RemovedMs.V
	}
	return a.ends[a.workers[l.w].lostEnd].ms
}

// sameStory tells whether two reasons can belong to one removal of a machine:
// the same stated one, or words that settle nothing beside words that say that
// the machine went.
func sameStory(x, y cause) bool {
	switch {
	case x.stated && y.stated:
		return x.kind == y.kind && x.cause == y.cause
	case x.stated:
		return x.kind == "withdrawal"
	case y.stated:
		return y.kind == "withdrawal"
	}
	return true
}

// strongest is the reason that settles most: of a removal with several.
func strongest(members []*leaving) *leaving {
	for _, m := range members {
		if m.c.stated {
			return m
		}
	}
	return members[0]
}

// removalRow describes one removal.
func (a *app) removalRow(id int64, members []*leaving, machines machines) RemovalRow {
	first := strongest(members)
	row := RemovalRow{
		App: a.key, Removal: id, Kind: first.c.kind, Cause: first.c.cause, UnitKind: "worker", Unit: first.row.Worker,
		Workers: int64(len(members)), DetectedMs: first.ms, Reason: first.row.Reason, FirstSeq: first.row.RemovedSeq.V,
	}
	whole := machines.wholeMachine(first, members)
	switch {
	case row.Kind == "withdrawal" && first.row.Machine.OK, first.c.cause == "decommission" && whole && len(members) > 1:
		row.UnitKind, row.Unit = "machine", first.row.Machine.V
	case len(members) > 1 && !first.c.stated:
		row.Kind, row.UnitKind, row.Unit = "withdrawal", "machine", first.row.Machine.V
	}
	for _, m := range members {
		w := &a.workers[m.w]
		if w.firstSeq > 0 {
			row.FirstSeq = min(row.FirstSeq, w.firstSeq)
		}
		row.DetectedMs = min(row.DetectedMs, m.ms)
		if w.lifeMs > row.GoneLowMs.V {
			row.GoneLowMs = table.Some(w.lifeMs)
		}
	}
	row.GoneHighMs = table.Some(row.DetectedMs)
	if row.GoneLowMs.V > row.DetectedMs {
		row.GoneLowMs = row.GoneHighMs
	}
	return row
}
