package lineage

import (
	"slices"

	"tracereplay/ingest"
)

// machine is what the removals of its workers ask of a machine. A run may have
// as many removals as workers, so that nothing here looks at all of either.
type machine struct {
	came, went []int64    // when its workers did, sorted; the coordinator is none
	leaving    []*leaving // in the order of lines
	earliest   []int64    // the earliest time of this one and all later ones
}

type machines map[string]*machine

// machinesOf sorts workers, and those that left, by machine.
func machinesOf(workers []ingest.WorkerRow, all []*leaving) machines {
	out := machines{}
	for i := range workers {
		w := &workers[i]
		if !w.Machine.OK {
			continue
		}
		m := out[w.Machine.V]
		if m == nil {
			m = &machine{}
			out[w.Machine.V] = m
		}
		m.lived(w)
	}
	for _, l := range all {
		if m := out[l.row.Machine.V]; l.row.Machine.OK {
			l.nth = len(m.leaving)
			m.leaving = append(m.leaving, l)
		}
	}
	for _, m := range out {
		m.sort()
	}
	return out
}

// lived notes a worker's life. One that went before it came never lived.
func (m *machine) lived(w *ingest.WorkerRow) {
	if w.IsCoordinator || !w.AddedMs.OK || w.RemovedMs.OK && w.RemovedMs.V < w.AddedMs.V {
		return
	}
	m.came = append(m.came, w.AddedMs.V)
	if w.RemovedMs.OK {
		m.went = append(m.went, w.RemovedMs.V)
	}
}

func (m *machine) sort() {
	slices.Sort(m.came)
	slices.Sort(m.went)
	m.earliest = make([]int64, len(m.leaving))
	for i := len(m.leaving) - 1; i >= 0; i-- {
		m.earliest[i] = m.leaving[i].ms
		if i+1 < len(m.leaving) {
			m.earliest[i] = min(m.earliest[i], m.earliest[i+1])
		}
	}
}

// liveAt counts the workers that lived at a time; one that came or went then did.
func (m *machine) liveAt(ms int64) int {
	came, _ := slices.BinarySearch(m.came, ms+1)
	went, _ := slices.BinarySearch(m.went, ms)
	return came - went
}

func livedAt(w *ingest.WorkerRow, ms int64) bool {
	return w.AddedMs.OK && w.AddedMs.V <= ms && (!w.RemovedMs.OK || w.RemovedMs.V >= ms)
}

// together finds the workers that went with the first one that is in no removal
// yet: all workers then on its machine, gone within the window, unless stated
// reasons say that each went by itself.
func (ms machines) together(first *leaving) []*leaving {
	alone := []*leaving{first}
	if !first.row.Machine.OK || first.c.stated && first.c.kind != "withdrawal" && first.c.cause != "decommission" {
		return alone
	}
	m := ms[first.row.Machine.V]
	var members []*leaving
	lived := 0
	for i := first.nth; i < len(m.leaving) && m.earliest[i]-first.ms <= machineWindowMs; i++ {
		l := m.leaving[i]
		if l.removal == 0 && l.ms-first.ms <= machineWindowMs && sameStory(first.c, l.c) {
			members = append(members, l)
			if livedAt(l.row, first.ms) {
				lived++
			}
		}
	}
	if c := strongest(members).c; c.stated && c.kind == "withdrawal" {
		return members // the words say that the machine went
	}
	if len(members) < 2 || m.liveAt(first.ms) > lived {
		return alone // or someone stayed: each went by itself
	}
	return members
}

// wholeMachine tells whether a removal took every worker of its machine.
func (ms machines) wholeMachine(first *leaving, members []*leaving) bool {
	if !first.row.Machine.OK {
		return false
	}
	n := ms[first.row.Machine.V].liveAt(first.ms)
	return n > 0 && n <= len(members)
}
