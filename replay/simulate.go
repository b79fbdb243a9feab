package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tracereplay/internal/table"
	"tracereplay/replay/result"
	"tracereplay/replay/sim"
)

// SimRun is a run that can be simulated, with how well it replays.
type SimRun struct {
	Log      *sim.Log
	Run      *sim.Run
	Gaps     []sim.Gap  // what the log lacks for a good replay
	Fidelity sim.Replay // the run as recorded
}

// LoadSim makes the run of a world ready to be simulated.
func LoadSim(ctx context.Context, w *World) (*SimRun, error) {
	log, err := SimLog(ctx, w)
	if err != nil {
		return nil, err
	}
	run, err := sim.Build(log)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.app, err)
	}
	return &SimRun{Log: log, Run: run, Gaps: sim.Complete(log), Fidelity: sim.Fidelity(run)}, nil
}

// SimRequest is a simulation of one run under one policy.
type SimRequest struct {
	Policy  string // its name in the results
	Options sim.Options
	Runs    int // 0 counts as 1
	Threads int // 0 = one a processor
	Reruns  bool
}

// SimAnswer is what the simulated runs came to.
type SimAnswer struct {
	Runs     []result.Simulated // in order of their seeds
	Reruns   []result.SimulatedRerun
	Losses   []result.SimulatedLoss
	Baseline []sim.Leg // critical path without the losses
	Path     []sim.Leg // critical path of the run in the middle, or of the only one
}

// Simulate simulates a run as often as asked. The baseline is the same run
// without the losses that were asked for: those given or drawn, or when there
// are none, those of the log.
func (s *SimRun) Simulate(q SimRequest) *SimAnswer {
	n := max(q.Runs, 1)
	base := q.Options
	if len(base.Removals) == 0 && base.Losses.RatePerHour == 0 {
		base.Cluster = sim.Undisturbed // the recorded losses are the ones that are asked about
	}
	base.Removals, base.Arrivals, base.Losses, base.Trace = nil, nil, sim.Losses{}, true
	one := sim.New(s.Run)
	b := one.Simulate(&base)
	answer := &SimAnswer{Baseline: sim.CriticalPath(s.Run, b)}
	baseMs := b.MakespanMs
	if n > 1 && !q.Reruns {
		for _, x := range sim.Many(s.Run, q.Options, n, q.Threads) {
			answer.Runs = append(answer.Runs, simulated(q.Policy, &x, baseMs))
		}
	} else {
		opt := q.Options
		opt.Trace = true
		for i := range n {
			opt.Seed = q.Options.Seed + uint64(i)
			res := one.Simulate(&opt)
			x := res.Sample(i)
			answer.Runs = append(answer.Runs, simulated(q.Policy, &x, baseMs))
			s.retell(answer, q.Policy, int64(i), res)
			if n == 1 {
				answer.Path = sim.CriticalPath(s.Run, res)
			}
		}
	}
	return answer
}

func simulated(policy string, x *sim.Sample, baseMs int64) result.Simulated {
	r := result.Simulated{
		Run: int64(x.Run), Seed: int64(x.Seed), Policy: policy, Removals: int64(x.Removals), Outcome: x.Outcome, BaselineMs: baseMs,
		RecomputeMs: x.RecomputeMs(), RerunTasks: int64(x.RerunTasks), RerunMs: x.RerunMs, InFlightTasks: int64(x.InFlightTasks), InFlightMs: x.InFlightMs,
		InterruptedTasks: int64(x.Interrupted), InterruptedMs: x.InterruptedMs, CachedMs: x.CachedMs, MovedBytes: x.MovedBytes, SlotMs: x.SlotMs,
	}
	if x.Outcome != sim.Stalled {
		r.MakespanMs = table.Some(x.MakespanMs)
	}
	if x.Outcome == sim.Done {
		r.DelayMs = table.Some(x.MakespanMs - baseMs)
	}
	return r
}

// WorkerName is what a simulated worker is called: as recorded, or rN for the
// Nth that came in place of a lost one.
func (s *SimRun) WorkerName(res *sim.Result, w int32) string {
	if r := res.Workers[w].Recorded; r >= 0 {
		return s.Run.Workers[r].Name
	}
	n := 0
	for i := range w + 1 {
		if res.Workers[i].Recorded < 0 {
			n++
		}
	}
	return fmt.Sprint("r", n)
}

// retell makes rows of what a traced run did again and lost.
func (s *SimRun) retell(answer *SimAnswer, policy string, n int64, res *sim.Result) {
	names := make([]string, len(res.Workers))
	for w := range names {
		names[w] = s.WorkerName(res, int32(w))
	}
	losses := map[int32]*result.SimulatedLoss{}
	var order []int32
	end := s.Run.StartMs + res.MakespanMs
	for i := range res.Lost {
		x := &res.Lost[i]
		if res.Outcome != sim.Stalled && x.GoneMs > res.MakespanMs {
			continue
		}
		l := &result.SimulatedLoss{
			Run: n, Loss: int64(i + 1), Policy: policy, UnitKind: "machine", NoticeMs: s.Run.StartMs + min(x.NoticeMs, x.GoneMs), GoneMs: s.Run.StartMs + x.GoneMs,
			DetectedMs: s.Run.StartMs + x.DetectMs,
		}
		switch {
		case x.Machine >= 0:
			l.Unit = s.Run.Machines[x.Machine]
		case len(x.Workers) > 0:
			l.UnitKind, l.Unit = "worker", s.Run.Workers[x.Workers[0]].Name
		}
		losses[int32(i)] = l
		order = append(order, int32(i))
	}
	seen := map[int32]bool{}
	for i := range res.Tasks {
		t := &res.Tasks[i]
		again := seen[t.Task]
		if t.Status == "success" {
			seen[t.Task] = true
		}
		if l := losses[t.Removal]; l != nil && again && t.Status == "success" {
			l.RerunTasks++
			l.RerunMs += t.EndMs - t.StartMs
			l.RepairEndMs = table.Some(max(l.RepairEndMs.V, s.Run.StartMs+t.EndMs))
		}
		if t.Status == "worker_lost" {
			if l := losses[s.lossOf(res, t.Worker)]; l != nil {
				l.InFlightTasks++
				l.InFlightMs += t.EndMs - t.StartMs
			}
		}
		if t.Why == sim.WhyFirst {
			continue
		}
		st := &s.Run.Stages[t.Stage]
		row := result.SimulatedRerun{
			Run: n, Stage: st.ID, Partition: int64(s.Run.Partition(t.Task)), Why: sim.WhyName(t.Why), Worker: names[t.Worker],
			StartMs: s.Run.StartMs + t.StartMs, EndMs: min(s.Run.StartMs+t.EndMs, max(end, s.Run.StartMs+t.EndMs)), Policy: policy, Status: t.Status,
		}
		if t.Job >= 0 {
			row.Job = table.Some(s.Run.Jobs[t.Job].ID)
		}
		if st.Makes >= 0 {
			row.Shuffle = table.Some(s.Run.Datasets[st.Makes].ID)
		}
		if t.Removal >= 0 {
			row.Loss = table.Some(int64(t.Removal) + 1)
		}
		answer.Reruns = append(answer.Reruns, row)
	}
	for _, i := range order {
		answer.Losses = append(answer.Losses, *losses[i])
	}
	slices.SortStableFunc(answer.Losses, func(x, y result.SimulatedLoss) int {
		return cmp.Or(cmp.Compare(x.Run, y.Run), cmp.Compare(x.GoneMs, y.GoneMs), cmp.Compare(x.Loss, y.Loss))
	})
}

// lossOf is the loss that took a worker, -1.
func (s *SimRun) lossOf(res *sim.Result, w int32) int32 { return res.Workers[w].Removal }
