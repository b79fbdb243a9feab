package analysis_test

import (
	"strings"
	"testing"

	"tracereplay/analysis"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// second is in ms; the run begins at noon UTC, 2026-01-01.
const (
	second = int64(1000)
	noon   = int64(1767268800000)
)

// run is a minute of two machines with 100 s of slot time.
func run() *analysis.Inputs {
	return &analysis.Inputs{
		App: analysis.App{
			ID: "app-1", FromMs: noon, ToMs: noon + 60*second, IsEnded: true, Tasks: 50, SlotMs: 100 * second,
		},
		Kind: analysis.Machine,
		Units: []analysis.Unit{
			{Kind: analysis.Machine, Name: "m1", FromMs: noon, ToMs: noon + 60*second},
			{Kind: analysis.Worker, Name: "1", FromMs: noon, ToMs: noon + 60*second},
		},
		Storage: []analysis.Storage{{DiesWith: analysis.Worker, Holders: 1, Outputs: 10}},
	}
}

// exposed adds a worst instant: at 12:00:30 until 12:00:32 two tasks run on m1,
// which have run for 2 s together; 10 s are owed and 5 s climb.
func exposed(in *analysis.Inputs) *analysis.Inputs {
	in.Worst = []result.Blast{{
		UnitKind: analysis.Machine, Unit: "m1", InstantMs: noon + 30*second, UntilMs: noon + 32*second, InFlightTasks: 2, InFlightMs: 2 * second,
		OwedOutputs: 4, OwedMs: 10 * second, ClimbOutputs: 2, ClimbMs: 5 * second, RecomputeMs: 17 * second, RecomputeLowMs: 17 * second,
		SupremumMs: 21 * second, OldestLostAgeMs: table.Some(12 * second), RoundsLive: 2, Known: "derived",
	}}
	in.Expected = []result.Expected{
		{UnitKind: analysis.Machine, Units: 1, LifeMs: 60 * second, RecomputeMs: 5000, InFlightMs: 1000, OwedMs: 3000, ClimbMs: 1000},
		{UnitKind: analysis.Worker, Units: 1, LifeMs: 60 * second, RecomputeMs: 2500, InFlightMs: 1000, OwedMs: 1500},
	}
	return in
}

func removal(kind, cause, unit string) result.Removal {
	return result.Removal{
		Removal: 1, Kind: kind, Cause: cause, UnitKind: analysis.Worker, Unit: unit, DetectedMs: noon + 40*second, NoticedMs: noon + 40*second,
		GoneHighMs: table.Some(noon + 35*second),
	}
}

// destroying is a removal that made 3 pieces run again, 6 s of owed work and 2 s
// of climb, while 1 s in flight was cut off.
func destroying() result.Removal {
	r := removal("exit", "killed", "7")
	r.LostOutputs, r.NeededOutputs, r.PiecesAgain, r.OwedMs, r.ClimbMs, r.RerunMs = 5, 3, 3, 6*second, 2*second, 9*second
	r.OldestLostAgeMs = table.Some(20 * second)
	return r
}

const worstWords = "The worst moment to lose a machine was just before 12:00:32 UTC: losing m1 would have cost 21 s of slot time, 21 % of the whole run; " +
	"71 % of that was finished work, the oldest of it reported finished 14 s earlier (at least WHAT would surely have been redone). " +
	"At a random moment losing a machine costs 5 s of slot time in the mean (5 % of the run), losing a worker costs 2.5 s of slot time in the mean (2.5 % of the run)."

func TestStory(t *testing.T) {
	// The low bound equals the high one: no "at least".
	surely := strings.Replace(worstWords, " (at least WHAT would surely have been redone)", "", 1)
	for _, c := range []struct {
		name    string
		in      *analysis.Inputs
		verdict analysis.Verdict
		want    string
		caveats []string
	}{
		{name: "exposed", in: exposed(run()), verdict: analysis.Exposed, want: surely},
		{
			name: "low bound", in: func() *analysis.Inputs {
				in := exposed(run())
				in.Worst[0].RecomputeLowMs = 2 * second // 2 s, and 4 s more at the end of the interval
				return in
			}(), verdict: analysis.Exposed, want: strings.Replace(worstWords, "WHAT", "6 s", 1),
		},
		{
			name: "loss first", in: func() *analysis.Inputs {
				in := exposed(run())
				in.Removals = []result.Removal{destroying()}
				return in
			}(), verdict: analysis.Lost,
			want: "Worker 7 was killed at 12:00:35 UTC. It held the only copy of 5 finished outputs: 3 finished pieces of work ran again, 8 s of slot time, 8 % of the whole run; " +
				"the oldest had been reported finished 20 s before the loss. " + surely,
		},
		{
			name: "several losses, the costliest is told", in: func() *analysis.Inputs {
				in := exposed(run())
				small := destroying()
				small.Unit, small.OwedMs, small.PiecesAgain = "3", second, 1
				in.Removals = []result.Removal{small, destroying(), removal("release", "idle", "9")}
				return in
			}(), verdict: analysis.Lost,
			want: "Worker 7 was killed at 12:00:35 UTC. It held the only copy of 5 finished outputs: 3 finished pieces of work ran again, 8 s of slot time, 8 % of the whole run; " +
				"the oldest had been reported finished 20 s before the loss. 1 further removal destroyed output that was still needed; in all 4 pieces ran again, 11 s of slot time. " + surely,
		},
		{
			name: "needed, but the log ends before anything ran again", in: func() *analysis.Inputs {
				in := exposed(run())
				r := removal("unknown", "disconnect", "7")
				r.LostOutputs, r.NeededOutputs = 5, 1
				in.Removals = []result.Removal{r}
				return in
			}(), verdict: analysis.Lost,
			want: "Worker 7 was lost (the log does not say whether it died alone or its machine was withdrawn) at 12:00:35 UTC. " +
				"It held the only copy of 5 finished outputs, of which 1 may still have been needed; none of them ran again before the log ends. " + surely,
		},
		{
			name: "harmless removals", in: func() *analysis.Inputs {
				in := exposed(run())
				in.Removals = []result.Removal{removal("release", "idle", "1"), removal("exit", "killed", "2")}
				return in
			}(), verdict: analysis.Exposed,
			want: surely + " 2 removals are recorded; none of them destroyed output that was still needed.",
		},
		{
			name: "one harmless removal", in: func() *analysis.Inputs {
				in := exposed(run())
				in.Removals = []result.Removal{removal("release", "idle", "1")}
				return in
			}(), verdict: analysis.Exposed,
			want: surely + " 1 removal is recorded; it destroyed no output that was still needed.",
		},
		{
			name: "work in flight was cut off", in: func() *analysis.Inputs {
				in := exposed(run())
				in.Removals = []result.Removal{removal("exit", "killed", "1")}
				in.Removals[0].InFlightMs = 4 * second
				return in
			}(), verdict: analysis.Exposed,
			want: surely + " 1 removal is recorded; it destroyed no output that was still needed, but 4 s of slot time in flight was cut off.",
		},
		{
			name: "no worker", in: func() *analysis.Inputs {
				in := run()
				in.Units = nil
				return in
			}(), verdict: analysis.Safe, want: "Nothing can be said of losses: the log names no worker.",
		},
		{
			name: "machines are not known", in: func() *analysis.Inputs {
				in := exposed(run())
				in.Worst[0].UnitKind, in.Worst[0].Unit = analysis.Worker, "1"
				in.Units, in.Kind, in.App.UnplacedWorkers = in.Units[1:], analysis.Worker, 1
				return in
			}(), verdict: analysis.Exposed,
			want: strings.Replace(strings.Replace(surely, "lose a machine", "lose a worker", 1), "losing m1", "losing worker 1", 1),
			caveats: []string{
				"The log does not tell the machines of the workers (on Kubernetes its hosts are addresses of pods), so losses of machines cannot be shown; --machines FILE tells.",
			},
		},
		{
			name: "one round", in: func() *analysis.Inputs {
				in := run()
				in.Storage = nil
				in.Worst = []result.Blast{{UnitKind: analysis.Machine, Unit: "m1", InstantMs: noon, UntilMs: noon + 3*second, InFlightTasks: 1, SupremumMs: 3 * second}}
				return in
			}(), verdict: analysis.Safe,
			want: "This job is not exposed: no loss of a machine, at any moment, would have destroyed finished work that was still needed. " +
				"The reason: nothing was materialised. Each job had one round, so that no task's output waited for another task. " +
				"What is running is always lost: at most 3 s of slot time (m1 at 12:00:03 UTC), 3 % of the whole run.",
		},
		{
			name: "remote shuffle", in: func() *analysis.Inputs {
				in := run()
				in.Storage = []analysis.Storage{{DiesWith: analysis.Service, Holders: 1, Outputs: 10}}
				in.Worst = []result.Blast{{UnitKind: analysis.Machine, Unit: "m1", InstantMs: noon}}
				return in
			}(), verdict: analysis.Safe,
			want: "This job is not exposed: no loss of a machine, at any moment, would have destroyed finished work that was still needed. " +
				"The reason: outputs stand on a remote shuffle service, outside the workers and their machines.",
		},
		{
			name: "local mode", in: func() *analysis.Inputs {
				in := run()
				in.Units, in.App.IsLocal = nil, true
				return in
			}(), verdict: analysis.Safe,
			want: "This job is not exposed to the loss of a worker: it ran in local mode, where the coordinator is the only worker. Losing that ends the job, which is another subject.",
		},
		{
			name: "caveats", in: func() *analysis.Inputs {
				in := exposed(run())
				in.App.IsStreaming, in.App.IsEnded, in.App.IsCompacted, in.App.UnplacedWorkers = true, false, true, 1
				in.App.CoordinatorMachine = "m9"
				in.Units = append(in.Units, analysis.Unit{Kind: analysis.Machine, Name: "m9", IsCoordinator: true})
				in.Problems = []analysis.Problem{{Kind: "cut_line", Count: 2}}
				return in
			}(), verdict: analysis.Exposed, want: surely,
			caveats: []string{
				"The application ran streaming queries: retained state is not counted in any total here.",
				"The log has no end: what came after 12:01:00 UTC is not known.",
				"The log was compacted: finished jobs are gone from it, and with them their outputs. Totals are too low.",
				"The machine of 1 worker is not known, so losses of machines lack them; --machines FILE tells.",
				"The coordinator's machine (m9) also carried workers. It is in no mean and no worst case: losing it ends the job.",
				"The log has 2 problems (section 10): figures lack what could not be read.",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := analysis.New(c.in).Story
			if got := s.Plain(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if s.Verdict != c.verdict {
				t.Errorf("verdict %s, want %s", s.Verdict, c.verdict)
			}
			if got, want := strings.Join(s.Caveats, "\n"), strings.Join(c.caveats, "\n"); got != want {
				t.Errorf("caveats:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// The coordinator's machine is no worst case, however bad it is.
func TestCoordinatorIsApart(t *testing.T) {
	in := exposed(run())
	bad := in.Worst[0]
	bad.Unit, bad.OwedMs, bad.RecomputeMs, bad.SupremumMs, bad.IsCoordinatorsHost = "m0", 1000*second, 1000*second, 1000*second, true
	in.Worst = append(in.Worst, bad)
	r := analysis.New(in)
	if got := r.Figures.Get("worst_machine_unit").Value; got != "m1" {
		t.Errorf("the worst machine is %v", got)
	}
	if n := len(r.WorstTable(analysis.Machine).Rows); n != 1 {
		t.Errorf("%d rows", n)
	}
}

// Where machines are not known the paragraph is about workers.
func TestWorkersOnly(t *testing.T) {
	in := exposed(run())
	in.Worst[0].UnitKind, in.Worst[0].Unit = analysis.Worker, "1"
	if got := analysis.New(in).Story.Plain(); !strings.HasPrefix(got, "The worst moment to lose a worker was just before 12:00:32 UTC: losing worker 1 would have cost 21 s") {
		t.Error(got)
	}
}
