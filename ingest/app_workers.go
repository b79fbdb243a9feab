package ingest

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"tracereplay/internal/table"
)

// IsCoordinator tells whether a worker id is the coordinator's own store.
func IsCoordinator(worker string) bool {
	return worker == "driver" || worker == "<driver>"
}

// worker returns the row of a worker, made when first heard of.
func (a *appState) worker(id, host string) *WorkerRow {
	w := a.workers[id]
	if w == nil {
		w = &WorkerRow{App: a.key, Worker: id, IsCoordinator: IsCoordinator(id)}
		a.workers[id] = w
	}
	if host != "" && !w.Host.OK {
		w.Host = table.Some(host)
		a.place(w)
	}
	return w
}

// place finds the machine of a worker: what the user says, else the host,
// unless that is a pod's address, which names no machine.
func (a *appState) place(w *WorkerRow) {
	if m, ok := a.r.opt.Machines[w.Worker]; ok {
		w.Machine, w.MachineKnown = table.Some(m), table.Some("given")
		return
	}
	if a.kubernetes {
		w.Machine, w.MachineKnown = table.Str{}, table.Str{}
		return
	}
	if w.Host.OK {
		w.Machine, w.MachineKnown = w.Host, table.Some("logged")
	}
}

func (a *appState) workerAdded(e *WorkerAdded) {
	a.clock(e.Ms)
	w := a.worker(e.Worker, e.Host)
	w.Cores, w.Profile, w.RequestMs = e.Cores, e.Profile, e.RequestMs
	if !w.AddedMs.OK {
		w.AddedMs, w.AddedSeq = e.Ms, table.Some(e.Seq)
	}
}

// workerRemoved keeps the first removal: later versions repeat it. One that was
// never added is no contradiction: it was launched and never came up.
func (a *appState) workerRemoved(e *WorkerRemoved) {
	a.clock(e.Ms)
	w := a.worker(e.Worker, "")
	if !w.RemovedSeq.OK {
		w.RemovedMs, w.RemovedSeq, w.Reason = e.Ms, table.Some(e.Seq), table.NonEmpty(e.Reason)
	}
}

func (a *appState) storeAdded(e *StoreAdded) {
	a.clock(e.Ms)
	w := a.worker(e.Worker, e.Host)
	if e.MemoryBytes.OK {
		w.MemoryBytes = e.MemoryBytes
	}
	if !w.AddedMs.OK && !w.AddedSeq.OK {
		w.AddedMs, w.AddedSeq = e.Ms, table.Some(e.Seq)
	}
	if w.IsCoordinator && !a.row.CoordinatorMachine.OK && !a.kubernetes {
		a.row.CoordinatorMachine = w.Host
	}
	a.r.w.stores.Append(&StoreRow{App: a.key, Seq: e.Seq, Worker: e.Worker, Ms: e.Ms, Added: true})
}

func (a *appState) storeRemoved(e *StoreRemoved) {
	a.clock(e.Ms)
	w := a.worker(e.Worker, e.Host)
	w.StoreRemovedMs, w.StoreRemovedSeq = e.Ms, table.Some(e.Seq)
	a.r.w.stores.Append(&StoreRow{App: a.key, Seq: e.Seq, Worker: e.Worker, Ms: e.Ms})
}

// finishWorkers completes the workers' rows and writes them in the order in
// which they were heard of.
func (a *appState) finishWorkers() []WorkerRow {
	rows := make([]WorkerRow, 0, len(a.workers))
	for _, id := range slices.Sorted(maps.Keys(a.workers)) {
		w := a.workers[id]
		a.place(w) // the settings may have come after the first worker
		if w.Cores.OK {
			w.Slots = table.Some(max(w.Cores.V/a.cpusOf(w.Profile), 1))
		}
		rows = append(rows, *w)
	}
	slices.SortStableFunc(rows, func(x, y WorkerRow) int {
		return cmp.Or(cmp.Compare(x.AddedSeq.V, y.AddedSeq.V), strings.Compare(x.Worker, y.Worker))
	})
	for i := range rows {
		a.r.w.workers.Append(&rows[i])
	}
	return rows
}

// cpusOf is how many cpus one task of a resource profile takes.
func (a *appState) cpusOf(profile table.I64) int64 {
	if p := a.profiles[profile.V]; profile.OK && p != nil && p.TaskCPUs.OK && p.TaskCPUs.V >= 1 {
		return int64(p.TaskCPUs.V)
	}
	return a.taskCPUs
}

// writeMachines derives the machines from their workers.
func (a *appState) writeMachines(workers []WorkerRow) {
	byName := map[string]*MachineRow{}
	open := map[string]bool{}
	for i := range workers {
		w := &workers[i]
		if !w.Machine.OK {
			continue
		}
		m := byName[w.Machine.V]
		if m == nil {
			m = &MachineRow{App: a.key, Machine: w.Machine.V}
			byName[w.Machine.V] = m
		}
		if w.IsCoordinator {
			m.IsCoordinator = true
			continue
		}
		m.Workers++
		if w.AddedMs.OK && (!m.FirstMs.OK || w.AddedMs.V < m.FirstMs.V) {
			m.FirstMs = w.AddedMs
		}
		if !w.RemovedMs.OK {
			open[m.Machine] = true
		} else if w.RemovedMs.V > m.LastMs.V {
			m.LastMs = w.RemovedMs
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if open[name] {
			byName[name].LastMs = table.I64{}
		}
		a.r.w.machines.Append(byName[name])
	}
}
