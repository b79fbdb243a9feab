package reporttest

import (
	"fmt"

	"tracereplay/analysis"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// timeline is what the workers of the first machines did: each of a machine's
// two workers runs a task a round, and its output stands there afterwards.
func (m maker) timeline() {
	shown := min(m.Machines, analysis.MaxTimelinePlaces)
	t := &analysis.TimelineInputs{Total: m.Machines, Bins: int64(m.Bins)}
	for i := range shown {
		s := analysis.TimelineSource{Name: m.name(i), Tasks: int64(2 * m.Rounds)}
		for w := range 2 {
			s.Workers = append(s.Workers, analysis.TimelineWorker{Worker: fmt.Sprint(2*i + w), FromMs: StartMs, ToMs: m.end(), Slots: 1})
		}
		t.Places = append(t.Places, s)
		for r := range m.Rounds {
			from := StartMs + int64(r)*m.RoundMs
			for w := range 2 {
				task := int64((r*m.Machines+i)*2 + w)
				to := from + int64(m.work(i))
				t.Attempts = append(t.Attempts, analysis.TimelineRun{
					Place: s.Name, Worker: fmt.Sprint(2*i + w), Task: task, Stage: int64(r), Partition: table.Some(int64(2*i + w)), FromMs: from, ToMs: to,
					What: analysis.RanFirst, EndState: "success",
				})
			}
		}
		for j := range m.Bins {
			_, to := m.bin(j)
			p := m.cost(i, to-1)
			t.Busy = append(t.Busy, analysis.TimelineBusy{Place: s.Name, Bin: int64(j), What: analysis.RanFirst, Slots: 2})
			t.Banked = append(t.Banked, analysis.TimelineBanked{Place: s.Name, Bin: int64(j), Needed: p.Owed, Done: p.Climb})
		}
	}
	m.in.Timeline = t
}

// withdraw makes the last removal part of the timeline: what its machine ran
// is cut off, and all others run it again in the round that follows.
func (m maker) withdraw(i, r int) {
	t, loss := m.in.Timeline, m.in.Removals[len(m.in.Removals)-1]
	at := StartMs + int64(r)*m.RoundMs
	for k := range t.Places {
		p := &t.Places[k]
		if p.Name != m.name(i) {
			continue
		}
		p.Lost = analysis.Machine
		for w := range p.Workers {
			p.Workers[w].ToMs = at
		}
	}
	kept := t.Attempts[:0]
	for _, a := range t.Attempts {
		switch {
		case a.Place == m.name(i) && a.FromMs >= at:
			continue
		case a.Place == m.name(i) && a.ToMs > at-m.RoundMs/2:
			a.What, a.EndState = analysis.RanCut, "worker_lost"
		case a.Stage == int64(r):
			a.What, a.Why, a.StageAttempt, a.Removal = analysis.RanAgain, "owed", 1, table.Some(loss.Removal)
		}
		kept = append(kept, a)
	}
	t.Attempts = kept
	for level := range min(2, int64(r)) {
		made := at - (level+1)*m.RoundMs
		link := analysis.ChainLink{
			Removal: loss.Removal, Dataset: int64(r) - 1 - level, Name: fmt.Sprintf("map at Sum.scala:%d", int64(9+r)-level), Level: level, IsOwed: level == 0,
			Pieces: 4, Partitions: table.Some(int64(2 * m.Machines)), MadeFrom: made, MadeTo: made + 1000, FromMs: at + 8000 - level*3000, ToMs: at + 11_000 - level*3000,
			AgainMs: 4000, Stages: fmt.Sprint(int64(r) - 1 - level),
		}
		if level == 0 {
			link.Readers = fmt.Sprint(r)
		} else {
			link.For = fmt.Sprint(r - 1)
		}
		m.in.Chain = append(m.in.Chain, link)
		m.in.Links = append(m.in.Links, result.ChainLink{
			Removal: link.Removal, Dataset: link.Dataset, Name: link.Name, ForDataset: table.I64{V: int64(r) - 1, OK: level > 0}, Level: level,
			Pieces: link.Pieces, AgainMs: link.AgainMs, FirstMadeMs: link.MadeFrom, LastMadeMs: link.MadeTo, App: "app-1",
		})
	}
}
