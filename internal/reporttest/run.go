package reporttest

import (
	"fmt"
	"math"

	"tracereplay/analysis"
	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// StartMs is when the runs begin: 2026-11-29 21:27:00 UTC.
const StartMs = 1795987620000

// Size is how large a run is. All machines work through rounds of equal
// length; each round's output is read by the next one.
type Size struct {
	Machines, Rounds, Bins int
	RoundMs                int64 // what each round takes
	Names                  func(i int) string
}

// Small is a run that fits into a golden file.
func Small() Size { return Size{Machines: 3, Rounds: 3, Bins: 6, RoundMs: 20_000} }

// Wide is a run of 1,000 machines.
func Wide() Size { return Size{Machines: 1000, Rounds: 60, Bins: analysis.MaxBins, RoundMs: 120_000} }

func (s Size) name(i int) string {
	if s.Names != nil {
		return s.Names(i)
	}
	return fmt.Sprintf("m%d", i)
}

// Inputs are the answers about a run in which machine i does i+1 parts of the
// work. Round r's output is owed until round r+1 ends, and half of all that is
// older climbs with it.
func Inputs(s Size) *analysis.Inputs {
	end := StartMs + int64(s.Rounds)*s.RoundMs
	in := &analysis.Inputs{
		App: analysis.App{
			ID: "app-1", Name: "nightly sum", Engine: "spark", Version: "3.5.5", User: "ana", Manager: "standalone",
			FromMs: StartMs, ToMs: end, MakespanMs: table.Some(end - StartMs), IsEnded: true,
			Tasks: int64(s.Machines * s.Rounds), CoordinatorMachine: "head",
		},
		Clock:   human.Clock{},
		Kind:    analysis.Machine,
		Command: "replay report app-1.zstd -o report",
	}
	m := maker{s, in}
	m.units()
	m.cells()
	m.expected()
	m.stages()
	m.storage()
	m.timeline()
	m.simulation()
	return in
}

type maker struct {
	Size
	in *analysis.Inputs
}

func (m maker) end() int64 { return m.in.App.ToMs }

// work is the slot time that machine i puts into a round.
func (m maker) work(i int) float64 {
	return float64(m.RoundMs) * float64(1+i%7) / 7
}

// cost is what losing machine i at t costs.
func (m maker) cost(i int, t int64) analysis.Parts {
	at := t - StartMs
	round, into := at/m.RoundMs, float64(at%m.RoundMs)
	share := float64(1+i%7) / 7
	p := analysis.Parts{InFlight: into * share}
	if round > 0 {
		p.Owed = m.work(i)
		p.Climb = m.work(i) * 0.5 * float64(round-1)
	}
	if round >= 2 && i%2 == 1 {
		p.Cached = m.work(i) * 0.3
	}
	return p
}

func (m maker) units() {
	for i := range m.Machines {
		m.in.App.SlotMs += int64(m.work(i)) * int64(m.Rounds)
		m.in.Units = append(m.in.Units, analysis.Unit{Kind: analysis.Machine, Name: m.name(i), FromMs: StartMs, ToMs: m.end()})
		for w := range 2 {
			m.in.Units = append(m.in.Units, analysis.Unit{Kind: analysis.Worker, Name: fmt.Sprint(2*i + w), FromMs: StartMs, ToMs: m.end()})
		}
		m.in.Worst = append(m.in.Worst, m.worst(i))
	}
}

// worst is at the end, where everything is owed and a round is nearly done.
func (m maker) worst(i int) result.Blast {
	at := m.end() - m.RoundMs
	p := m.cost(i, at)
	b := result.Blast{
		App: "app-1", UnitKind: analysis.Machine, Unit: m.name(i), InstantMs: at, UntilMs: m.end(),
		InFlightTasks: 1, OwedOutputs: 1, OwedMs: int64(p.Owed), ClimbOutputs: int64(m.Rounds - 2), ClimbMs: int64(p.Climb),
		CachedMs: int64(p.Cached), RecomputeMs: int64(p.Owed) + int64(p.Climb) + int64(p.Cached), RecomputeLowMs: int64(p.Owed),
		OldestLostAgeMs: table.Some(at - StartMs - m.RoundMs), RoundsLive: int64(m.Rounds - 1), Known: "derived",
	}
	b.SupremumMs = b.RecomputeMs + int64(m.work(i))
	return b
}

func (m maker) bin(j int) (from, to int64) {
	span := m.end() - StartMs
	return StartMs + span*int64(j)/int64(m.Bins), StartMs + span*int64(j+1)/int64(m.Bins)
}

// row is where machine i stands in the heat map.
func (m maker) row(i int) int { return i * min(m.Machines, analysis.MaxRows) / m.Machines }

func (m maker) cells() {
	m.in.Rows = make([][]string, min(m.Machines, analysis.MaxRows))
	for i := range m.Machines {
		m.in.Rows[m.row(i)] = append(m.in.Rows[m.row(i)], m.name(i))
	}
	for j := range m.Bins {
		from, to := m.bin(j)
		var mean analysis.Parts
		worst, total := 0.0, analysis.Holding{FromMs: from, ToMs: to}
		cells := make([]analysis.HeatCell, len(m.in.Rows))
		for i := range m.Machines {
			p := m.cost(i, to-1)
			if c := &cells[m.row(i)]; c.Unit == "" || p.Sum() > c.Parts.Sum() {
				*c = analysis.HeatCell{
					Row: m.row(i), Unit: m.name(i), FromMs: from, ToMs: to, AtMs: to - 1, Parts: p, LowMs: p.InFlight + p.Owed, Outputs: 2,
				}
			}
			mean = add(mean, p)
			worst = max(worst, p.Finished())
			total.Needed = p.Owed * 1000
			m.in.Holdings = append(m.in.Holdings, analysis.Holding{
				Place: m.name(i), FromMs: from, ToMs: to, Needed: p.Owed * 4096, Done: p.Climb * 1024, Cached: p.Cached * 2048,
			})
		}
		m.in.Cells = append(m.in.Cells, cells...)
		n := float64(m.Machines)
		mean = analysis.Parts{InFlight: mean.InFlight / n, Owed: mean.Owed / n, Climb: mean.Climb / n, Cached: mean.Cached / n}
		m.in.Bins = append(m.in.Bins, analysis.Bin{Kind: analysis.Machine, FromMs: from, ToMs: to, Units: n, Mean: mean})
		done := float64(j) / float64(m.Bins)
		m.in.Progress = append(m.in.Progress, analysis.Progress{AtMs: from, Reported: done, Safe: max(0, done-worst/float64(m.in.App.SlotMs))})
		busy := n * (0.5 + 0.5*math.Abs(math.Sin(float64(j)/3)))
		m.in.States = append(m.in.States, analysis.WorkerState{FromMs: from, ToMs: to, Busy: 2 * busy, IdleOwing: (2*n - 2*busy) * 0.7, Free: (2*n - 2*busy) * 0.3})
	}
}

func add(a, b analysis.Parts) analysis.Parts {
	return analysis.Parts{InFlight: a.InFlight + b.InFlight, Owed: a.Owed + b.Owed, Climb: a.Climb + b.Climb, Cached: a.Cached + b.Cached}
}

func (m maker) expected() {
	var mean analysis.Parts
	for _, b := range m.in.Bins {
		mean = add(mean, b.Mean)
	}
	n := float64(len(m.in.Bins))
	mean = analysis.Parts{InFlight: mean.InFlight / n, Owed: mean.Owed / n, Climb: mean.Climb / n, Cached: mean.Cached / n}
	life := m.end() - StartMs
	half := analysis.Parts{InFlight: mean.InFlight / 2, Owed: mean.Owed / 2, Climb: mean.Climb / 2, Cached: mean.Cached / 2}
	m.in.Expected = []result.Expected{
		expectedRow(analysis.Machine, int64(m.Machines), life*int64(m.Machines), mean),
		expectedRow(analysis.Worker, int64(2*m.Machines), 2*life*int64(m.Machines), half),
	}
	for k, kind := range []string{analysis.Machine, analysis.Worker} {
		q := analysis.Quantiles{Kind: kind, Units: int64(m.Machines * (k + 1)), LifeMs: life * int64(m.Machines*(k+1))}
		for i := range q.At {
			q.At[i] = 2 * mean.Sum() / float64(k+1) * float64(max(0, i-5)) / 95
		}
		m.in.Spread = append(m.in.Spread, q)
	}
}

func expectedRow(kind string, units, life int64, mean analysis.Parts) result.Expected {
	perHour := float64(life) / 3_600_000
	return result.Expected{
		UnitKind: kind, Units: units, LifeMs: life, RecomputeMs: mean.Sum(), RecomputeLowMs: mean.Owed, SdRecomputeMs: mean.Sum() / 2,
		InFlightMs: mean.InFlight, OwedMs: mean.Owed, ClimbMs: mean.Climb, CachedMs: mean.Cached,
		RunRecomputeMs: mean.Sum() * perHour, RunVarianceMs2: mean.Sum() * mean.Sum() * perHour,
	}
}

func (m maker) stages() {
	for r := range m.Rounds {
		from := StartMs + int64(r)*m.RoundMs
		s := analysis.Stage{
			Job: table.Some(int64(r / 3)), Stage: int64(r), Name: fmt.Sprintf("map at Sum.scala:%d", 10+r), FromMs: from, ToMs: from + m.RoundMs,
			Tasks: int64(m.Machines), SlotMs: m.in.App.SlotMs / int64(m.Rounds),
		}
		m.in.Stages = append(m.in.Stages, s)
		m.in.Exposures = append(m.in.Exposures, analysis.Exposure{
			Dataset: int64(r), Kind: "shuffle", Name: s.Name, Stage: table.Some(s.Stage), Outputs: int64(m.Machines), Bytes: 1 << 20,
			SlotMs: s.SlotMs, HeldMs: float64(m.RoundMs), Exposure: float64(s.SlotMs*m.RoundMs) / float64(r+1),
		})
		if r%3 == 0 {
			to := min(from+3*m.RoundMs, m.end())
			m.in.Jobs = append(m.in.Jobs, analysis.Job{Job: int64(r / 3), Name: "sum", FromMs: from, ToMs: to})
		}
	}
}

func (m maker) storage() {
	m.in.Storage = []analysis.Storage{{DiesWith: analysis.Worker, Holders: int64(2 * m.Machines), Outputs: int64(m.Machines * m.Rounds), Evidence: "spark.shuffle.service.enabled is not set"}}
	m.in.Checks = []analysis.Check{{Name: "every attempt is in one stage"}}
}

// Withdraw records that machine i was withdrawn at the end of round r, and
// that the redo took what it had held.
func Withdraw(in *analysis.Inputs, s Size, i, r int) {
	at := StartMs + int64(r)*s.RoundMs
	in.Removals = append(in.Removals, result.Removal{
		Removal: int64(len(in.Removals) + 1), Kind: "withdrawal", UnitKind: analysis.Machine, Unit: s.name(i), Workers: 2,
		GoneLowMs: table.Some(at - 500), GoneHighMs: table.Some(at), DetectedMs: at + 4000, NoticedMs: at + 3000, Cause: "node_lost", Reason: table.Some("Command exited with code 137"),
		ResidentOutputs: 20, LostOutputs: 20, LostBytes: 5 << 20, NeededOutputs: 12, InFlightTasks: 2, InFlightMs: 3000,
		OwedTasks: 5, OwedMs: 7000, ClimbTasks: 7, ClimbMs: 8400, RerunTasks: 14, RerunMs: 18_400, PiecesAgain: 12,
		OldestLostAgeMs: table.Some[int64](25_100), RepairBeginMs: table.Some(at + 5000), RepairEndMs: table.Some(at + 11_000), App: "app-1",
	})
	maker{s, in}.withdraw(i, r)
	in.Stages[min(r, len(in.Stages)-1)].Reruns = 2
}
