package lineage

import (
	"strings"

	"tracereplay/ingest"
)

// signOfLoss: the first line that tells that a worker is gone. What it held is
// gone from here on; the time is corrected when the removal itself tells one.
func (a *app) signOfLoss(w int32, seq int64) {
	x := &a.workers[w]
	if x.firstSeq == 0 {
		x.firstSeq = seq
	}
	if x.removedSeq == 0 && (x.lostSeq == 0 || a.ends[x.lostEnd].reason != "worker_removed") {
		a.lose(w, a.now, seq, "worker_removed")
		a.ends[x.lostEnd].guessed = true
	}
}

// dateLoss sets the time of a worker's loss to what an event of its own says.
// The lines before it only bound it from below: their times are older ones.
func (a *app) dateLoss(w int32, ms int64) {
	e := &a.ends[a.workers[w].lostEnd]
	if e.guessed {
		e.ms, e.guessed = ms, false
	}
	e.ms = min(e.ms, ms)
}

// lose takes what a worker held: its cached blocks always, its map outputs
// unless the settings say that something else keeps them.
func (a *app) lose(w int32, ms, seq int64, reason string) {
	e := a.newEnd(ms, seq, reason, w)
	a.workers[w].lostSeq, a.workers[w].lostEnd = seq, e
	a.lastLossSeq = seq
	a.dropFrom(w, e, a.storage.kind == onWorker)
}

// dropFrom ends the residences on a worker, of cached blocks, and of map
// outputs where shuffles is set. It returns the outputs that it ended.
func (a *app) dropFrom(w, e int32, shuffles bool) (ended []int32) {
	if shuffles {
		a.workers[w].filesSeq = a.ends[e].seq
	}
	kept := a.workers[w].held[:0]
	for _, o := range a.workers[w].held {
		if !shuffles && !a.datasets[a.outputs.at(o).dataset].key.cache {
			kept = append(kept, o)
			continue
		}
		if a.closeOn(o, w, e) {
			ended = append(ended, o)
		}
	}
	a.workers[w].held = kept
	return ended
}

// storeBack: the block store of a worker that lives registered again. Its
// blocks had never gone; the engine reports them anew.
func (a *app) storeBack(w int32, seq int64) {
	x := &a.workers[w]
	x.firstSeq = 0
	for _, o := range x.storeHeld {
		d := a.datasets[a.outputs.at(o).dataset]
		if d.cur[a.outputs.at(o).partition] == o {
			a.addCopy(o, w, seq)
		}
	}
	x.storeHeld = nil
}

// workerRemoved: the engine gave a worker up.
func (a *app) workerRemoved(e *ingest.WorkerRemoved) {
	w := a.worker(e.Worker, "")
	x := &a.workers[w]
	if x.removedSeq != 0 {
		return // later versions say it twice; the first counts
	}
	x.removedSeq = e.Seq
	if x.firstSeq == 0 {
		x.firstSeq = e.Seq
	}
	ms := e.Ms.Or(a.now)
	if x.lostSeq == 0 || a.ends[x.lostEnd].reason != "worker_removed" {
		a.lose(w, ms, e.Seq, "worker_removed")
	} else {
		a.dateLoss(w, ms)
	}
	if isWorkerProcessLost(e.Reason) {
		a.loseHost(w, ms, e.Seq)
	}
}

// isWorkerProcessLost: the words of a standalone master whose own process on
// the machine is gone, which takes the machine's outputs with it.
func isWorkerProcessLost(reason string) bool {
	return strings.HasPrefix(strings.ToLower(reason), "worker lost")
}

// loseHost takes the outputs of all workers on the host of a lost one.
func (a *app) loseHost(w int32, ms, seq int64) {
	service := a.storage.kind == onMachine
	if service && !a.rules.HostWideService || !service && !a.rules.HostWide || a.workers[w].host == "" {
		return
	}
	e := a.newEnd(ms, seq, "machine_removed", w)
	for _, i := range a.onHost(a.workers[w].host) {
		a.dropFrom(i, e, a.storage.kind == onWorker || service)
		a.workers[i].lostSeq = max(a.workers[i].lostSeq, seq)
		if a.workers[i].lostEnd < 0 {
			a.workers[i].lostEnd = e
		}
	}
}

// storeRemoved: a worker's block store was dropped. Its cached blocks are gone;
// whether its outputs are is told by a removal or a failed fetch.
func (a *app) storeRemoved(e *ingest.StoreRemoved) {
	w := a.worker(e.Worker, e.Host)
	x := &a.workers[w]
	ms := e.Ms.Or(a.now)
	if x.lostSeq != 0 && a.ends[x.lostEnd].reason == "worker_removed" {
		a.dateLoss(w, ms)
	}
	if x.firstSeq == 0 {
		x.firstSeq = e.Seq
	}
	x.storeRemovedSeq = e.Seq
	x.storeHeld = a.dropFrom(w, a.newEnd(ms, e.Seq, "store_removed", w), false)
}

// fetchFailed: a reader could not read. The one output goes, and with it all
// of the worker that should have served it, unless the engine had given that
// worker up after the reader's attempt was submitted. Ends of attempts that a
// newer attempt has replaced are ignored.
func (a *app) fetchFailed(t *attempt, e *ingest.TaskEnd) {
	f := e.Fetch
	if f.Worker == "" || a.newerAttempt(t) {
		return
	}
	w := a.worker(f.Worker, f.Host)
	a.workers[w].blamed = true
	t.fetchFailed = t.fetchFailed || !t.done
	a.lastLossSeq = e.Seq
	if a.rules.MapIsTask && f.Map.OK && f.Map.V >= 0 {
		if o := a.outputOfTask(f.Map.V); o >= 0 {
			if f.Shuffle.OK {
				a.datasets[a.outputs.at(o).dataset].engineShuffle = f.Shuffle
			}
			a.closeOn(o, w, a.newEnd(a.now, e.Seq, "fetch_failed", w))
		}
	}
	x := &a.workers[w]
	given := x.lostSeq
	if a.rules.FilesApart {
		given = x.filesSeq
	}
	if given > t.submitSeq {
		return
	}
	ends := a.newEnd(a.now, e.Seq, "fetch_failed", w)
	x.lostSeq, x.lostEnd = e.Seq, ends
	a.dropFrom(w, ends, true)
	if a.rules.UnregisterHost {
		for _, i := range a.onHost(f.Host) {
			a.dropFrom(i, ends, true)
		}
	}
}

// newerAttempt tells whether the stage has a later attempt.
func (a *app) newerAttempt(t *attempt) bool {
	return a.attempts[attemptKey{t.stage.id, t.number + 1}] != nil
}
