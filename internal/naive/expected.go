package naive

import (
	"cmp"
	"maps"
	"slices"

	"tracereplay/internal/table"
)

// Needs of readers that never came: docs/model.md, "Needed".

// expect is told that a job failed, or that the log ended while it ran: until
// that moment its stages might still have read.
func (d *driver) expect(job, submitSeq, endMs int64) {
	for _, stage := range slices.Sorted(maps.Keys(d.listing)) {
		if !slices.Contains(d.listing[stage], job) {
			continue
		}
		if r := d.latest[stage]; r != nil && r.submitSeq > submitSeq {
			if !r.endedWell && d.lacksPieces(r) {
				r.wantedUntil = table.Some(max(endMs, r.wantedUntil.V))
			}
			continue
		}
		t := d.g.stages[stage]
		if t == nil || d.isDone(d.byStage[stage]) {
			continue
		}
		r := &round{stage: stage, attempt: -1, text: t}
		for _, x := range d.readsNow(r, -1) {
			d.needs = append(d.needs, &need{of: x.of, round: r, submit: table.Some(endMs), until: endMs})
		}
	}
}

// isDone tells whether a stage that writes w would be skipped now.
func (d *driver) isDone(w *dataset) bool {
	return w != nil && int64(len(w.current)) >= w.size
}

// lacksPieces tells whether a stage has work left after its latest attempt.
func (d *driver) lacksPieces(r *round) bool {
	if r.isMap {
		return !d.isDone(r.writes)
	}
	return len(d.missing(r)) > 0
}

// expectUnread gives a shuffle that no stage ever read the need of the stage
// that makes it.
func (d *driver) expectUnread() {
	read := map[*dataset]bool{}
	for _, r := range d.rounds {
		for _, x := range r.reads {
			read[x.of] = read[x.of] || r.tasks > 0
		}
	}
	for _, n := range d.needs {
		read[n.of] = true
	}
	for _, w := range d.datasets {
		if w.cache || read[w] {
			continue
		}
		var maker *round
		for _, r := range d.rounds {
			if r.writes == w && r.tasks > 0 && (maker == nil || cmp.Less(maker.submitSeq, r.submitSeq)) {
				maker = r
			}
		}
		if maker != nil {
			until := max(maker.complete.Or(d.End), maker.wantedUntil.V)
			d.needs = append(d.needs, &need{of: w, round: &round{stage: maker.stage, attempt: -1}, submit: table.Some(until), until: until})
		}
	}
}
