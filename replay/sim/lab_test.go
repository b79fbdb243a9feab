package sim

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// truth is what the lab did to a run.
type truth struct {
	Name, Group, Outcome string
	Workload, Spark      string
	MainMs               int64 `json:"main_ms"`
	Args                 map[string]any
	Actions              []struct {
		Kind     string
		UnitKind string `json:"unit_kind"`
		Unit     string
		Workers  []string
		WallMs   int64 `json:"wall_ms"`
		NoticeMs int64 `json:"notice_ms"`
	}
}

// labRun is a run of the lab with its log.
type labRun struct {
	truth
	log *Log
	run *Run
}

// labReplaceMs is how long the lab's Workers take to start another executor in
// place of a killed one.
const labReplaceMs = 3000

func readLab(t *testing.T) []*labRun {
	var out []*labRun
	for _, path := range labLogs(t) {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(path), "truth.json"))
		if err != nil {
			t.Fatal(err)
		}
		x := &labRun{}
		if err := json.Unmarshal(data, &x.truth); err != nil {
			t.Fatal(err)
		}
		logs := logsOf(readTables(t, path))
		if len(logs) != 1 || len(Complete(logs[0])) > 0 {
			continue
		}
		x.log = logs[0]
		if x.run, err = Build(x.log); err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// mainFrom is when the first job of the main phase starts, on the Run's clock.
func (x *labRun) mainFrom() int64 {
	for i := range x.run.Jobs {
		if x.run.Jobs[i].Recorded[0]+x.run.StartMs >= x.MainMs {
			return x.run.Jobs[i].Recorded[0]
		}
	}
	return 0
}

// mainMs is how long the main phase took.
func (x *labRun) mainMs() int64 { return x.run.RecordedMs - x.mainFrom() }

// endsBefore counts the successes of the main phase before an instant.
func (x *labRun) endsBefore(ms int64) int {
	n := 0
	for i := range x.log.Tasks {
		if l := &x.log.Tasks[i]; l.Status == "success" && l.StartMs >= x.MainMs && l.EndMs <= ms {
			n++
		}
	}
	return n
}

// whenEnded is when n tasks of the main phase had succeeded, on the log's clock.
func (x *labRun) whenEnded(n int) int64 {
	var ends []int64
	for i := range x.log.Tasks {
		if l := &x.log.Tasks[i]; l.Status == "success" && l.StartMs >= x.MainMs {
			ends = append(ends, l.EndMs)
		}
	}
	slices.Sort(ends)
	return ends[min(max(n-1, 0), len(ends)-1)]
}

// lossKind tells whether a run's actions are losses that the simulator knows,
// and what they are.
func (x *labRun) lossKind() string {
	if len(x.Actions) == 0 {
		return ""
	}
	kinds := []string{}
	for _, a := range x.Actions {
		switch a.Kind {
		case "exit", "withdrawal", "silent":
			kinds = append(kinds, a.Kind)
		default:
			return ""
		}
	}
	return strings.Join(kinds, "+")
}

// losses makes the removals of a kill run happen in another run at the same
// progress, to units of the same kind: machine or worker number u of that run
// for the first action, the following ones for the next.
func (x *labRun) losses(in *labRun, u int) *Options {
	opt := &Options{Cluster: Undisturbed, ReplaceMs: -1}
	for k, a := range x.Actions {
		r := Removal{Machine: -1, Silent: a.Kind == "silent"}
		at := a.WallMs
		if k < len(x.log.Removals) && len(x.log.Removals) == len(x.Actions) { // it takes a while to kill
			at = max(at, x.log.Removals[k].GoneLowMs.Or(0)+1)
		}
		if in != x {
			at = in.whenEnded(x.endsBefore(a.WallMs))
		}
		r.GoneMs = at - in.run.StartMs
		r.NoticeMs = r.GoneMs
		r.DetectMs = r.GoneMs + in.run.Rules.DetectMs
		if r.Silent {
			r.DetectMs = r.GoneMs + in.run.Rules.SilentDetectMs()
		}
		switch {
		case in == x && a.UnitKind == "machine":
			r.Machine = int32(slices.Index(in.run.Machines, a.Unit))
		case in == x:
			r.Workers = []int32{int32(slices.IndexFunc(in.run.Workers, func(w Worker) bool { return w.Name == a.Unit }))}
			opt.ReplaceMs = labReplaceMs
		case a.UnitKind == "machine":
			r.Machine = int32((u + k) % len(in.run.Machines))
		default:
			r.Workers = []int32{int32((u + k) % len(in.run.Workers))}
			opt.ReplaceMs = labReplaceMs
		}
		opt.Removals = append(opt.Removals, r)
	}
	return opt
}

// TestLabDelay predicts how late kill runs end, from themselves without their
// losses and from their twins, beside two naive predictors.
func TestLabDelay(t *testing.T) {
	runs := readLab(t)
	var self, twin, selfDelay, twinDelay, remain, naiveRest, naiveTwin []float64
	for _, x := range runs {
		kind := x.lossKind()
		if kind == "" || x.Outcome != "succeeded" {
			continue
		}
		s := New(x.run)
		base := s.Simulate(&Options{Cluster: Undisturbed}).MakespanMs
		var with []int64
		slots := int32(0)
		for _, w := range x.run.Workers {
			slots += w.Slots
		}
		redone := int64(0)
		for seed := range 15 {
			opt := x.losses(x, 0)
			opt.Seed = uint64(seed + 1)
			opt.FromMs = opt.Removals[0].GoneMs - 1
			r := s.Simulate(opt)
			with = append(with, r.MakespanMs)
			redone += r.RecomputeMs() / 15
		}
		m := median(with)
		// Without twins the run itself, losses taken out, is the base.
		actual := x.run.RecordedMs
		e := float64(m)/float64(actual) - 1
		left := actual - (x.Actions[0].WallMs - x.run.StartMs)
		self = append(self, math.Abs(e))
		remain = append(remain, math.Abs(float64(m-actual)/float64(left)))
		line := fmt.Sprintf("%-26s %-22s recorded %6d | itself: %6d %+6.1f%% (of rest %+6.1f%%) delay %6d redone/slots %6d", x.Name, kind, actual, m, 100*e, 100*float64(m-actual)/float64(left), m-base, redone/int64(slots))
		if late := actual - base; late > 0 { // as late as it was, by its own undisturbed simulation
			selfDelay = append(selfDelay, math.Abs(float64(m-actual)/float64(late)))
			naiveRest = append(naiveRest, math.Abs(float64(redone/int64(slots)-late)/float64(late)))
		}
		var twins []*labRun
		for _, y := range runs {
			if y.Group == x.Group && len(y.Actions) == 0 && y.Outcome == "succeeded" && fmt.Sprint(y.Args) == fmt.Sprint(x.Args) {
				twins = append(twins, y)
			}
		}
		if len(twins) > 0 {
			var predicted, baseMs []int64
			for _, y := range twins {
				sy := New(y.run)
				b := sy.Simulate(&Options{Cluster: Undisturbed}).MakespanMs
				baseMs = append(baseMs, y.mainMs())
				for u := range 8 {
					opt := x.losses(y, u)
					for seed := range 4 {
						opt.Seed = uint64(seed + 1)
						predicted = append(predicted, y.mainMs()+sy.Simulate(opt).MakespanMs-b)
					}
				}
			}
			p, b := median(predicted), median(baseMs)
			actualDelay := x.mainMs() - b
			e := float64(p)/float64(x.mainMs()) - 1
			twin = append(twin, math.Abs(e))
			naiveTwin = append(naiveTwin, math.Abs(float64(redone/int64(slots)-actualDelay)/float64(actualDelay)))
			twinDelay = append(twinDelay, math.Abs(float64(p-x.mainMs())/float64(actualDelay)))
			line += fmt.Sprintf(" | %d twins: main %6d predicted %6d [%d-%d] %+6.1f%% delay %6d predicted %6d (%+.0f%%)", len(twins), x.mainMs(), p, predicted[len(predicted)/10], predicted[len(predicted)*9/10], 100*e, actualDelay, p-b,
				100*float64(p-x.mainMs())/float64(actualDelay))
		}
		t.Log(line)
	}
	show := func(name string, list []float64) {
		if len(list) == 0 {
			return
		}
		slices.Sort(list)
		t.Logf("%-30s n=%d median %.1f%% p90 %.1f%% max %.1f%%", name, len(list), 100*list[len(list)/2], 100*list[len(list)*9/10], 100*list[len(list)-1])
	}
	show("makespan from itself", self)
	show("rest from itself", remain)
	show("delay from itself", selfDelay)
	show("  redone slot time / slots", naiveRest)
	show("main phase from twins", twin)
	show("delay from twins", twinDelay)
	show("  redone slot time / slots", naiveTwin)
}
