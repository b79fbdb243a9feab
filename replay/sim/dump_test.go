package sim

import (
	"fmt"
	"os"
	"testing"
)

func TestDump(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip()
	}
	for _, l := range logsOf(readTables(t, path)) {
		base := l.StartMs.V
		fmt.Println("app", l.App, l.Version, "problems", l.Problems, "end", l.EndMs.V-base)
		for _, w := range l.Workers {
			fmt.Println("worker", w.Worker, w.Machine.V, w.Slots, w.AddedMs.V-base, w.RemovedMs.OK, w.RemovedMs.V-base)
		}
		for _, j := range l.Jobs {
			fmt.Println("job", j.Job, j.SubmitMs.V-base, j.EndMs.V-base, j.Outcome.V, j.Execution, j.RootExec)
		}
		for _, s := range l.Stages {
			fmt.Println("stage", s.Stage, s.Attempt, "job", s.Job.V, s.Kind.V, "tasks", s.Tasks, s.SubmitMs.V-base, s.CompleteMs.V-base, s.Failure)
		}
		for _, d := range l.Datasets {
			fmt.Println("dataset", d)
		}
		fmt.Println(l.Inputs)
		for _, d := range l.Needs {
			fmt.Println("need", d)
		}
		for _, d := range l.Removals {
			fmt.Println("removal", d, d.DetectedMs-base)
		}
		if os.Getenv("TASKS") != "" {
			for _, d := range l.Tasks {
				fmt.Println("task", d.Task, d.Stage, d.Attempt, d.Index, d.Partition.V, d.Worker, d.StartMs-base, d.EndMs-base, d.EndMs-d.StartMs, d.Status, d.Speculative, d.FetchWaitMs)
			}
		}
	}
}

func TestCompare(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip()
	}
	for _, l := range logsOf(readTables(t, path)) {
		run, err := Build(l)
		if err != nil {
			t.Fatal(err)
		}
		res := New(run).Simulate(&Options{Trace: true})
		type span struct{ a, b int64 }
		sp := map[[2]int32]*span{}
		for _, x := range res.Tasks {
			k := [2]int32{x.Stage, x.Attempt}
			if sp[k] == nil {
				sp[k] = &span{x.StartMs, x.EndMs}
			}
			sp[k].a, sp[k].b = min(sp[k].a, x.StartMs), max(sp[k].b, x.EndMs)
		}
		rec := map[[2]int64]*span{}
		for _, x := range l.Tasks {
			k := [2]int64{x.Stage, x.Attempt}
			if rec[k] == nil {
				rec[k] = &span{x.StartMs, x.EndMs}
			}
			rec[k].a, rec[k].b = min(rec[k].a, x.StartMs), max(rec[k].b, x.EndMs)
		}
		for _, x := range l.Stages {
			k := [2]int64{x.Stage, x.Attempt}
			fmt.Printf("recorded stage %d.%d ", x.Stage, x.Attempt)
			if r := rec[k]; r != nil {
				fmt.Printf("%d-%d (%d) tasks %d ", r.a-run.StartMs, r.b-run.StartMs, r.b-r.a, x.Tasks)
			}
			fmt.Println(x.Failure)
		}
		for i, x := range run.Stages {
			for a := int32(0); a < 9; a++ {
				r := sp[[2]int32{int32(i), a}]
				if r != nil {
					n := 0
					for _, y := range res.Tasks {
						if y.Stage == int32(i) && y.Attempt == a {
							n++
						}
					}
					fmt.Printf("sim stage %d.%d %d-%d (%d) tasks %d gap %d end %d fetch %d dens %.2f warm %d\n", x.ID, a, r.a, r.b, r.b-r.a, n, x.SubmitGapMs, x.EndGapMs, x.FetchMs, x.Density, x.MedianMs)
				}
			}
		}
		if os.Getenv("TASKS") != "" {
			for _, x := range res.Tasks {
				fmt.Println("run", run.Stages[x.Stage].ID, x.Attempt, x.Task-run.Stages[x.Stage].First, run.Workers[x.Worker].Name, x.StartMs, x.EndMs, x.EndMs-x.StartMs, x.Status, x.Why, run.PreMs[x.Task])
			}
		}
		fmt.Printf("%+v\n", run.Removals)
		fmt.Println(res.MakespanMs, run.RecordedMs, res.Outcome, "cold", run.ColdMs, "startup", run.StartupMs)
	}
}

func TestRatio(t *testing.T) {
	if os.Getenv("RATIO") == "" {
		t.Skip()
	}
	for _, path := range append(corpusLogs(t), labLogs(t)...) {
		for _, l := range logsOf(readTables(t, path)) {
			first := map[[2]int64]*LogTask{}
			var rs []int64
			sum, sum0 := int64(0), int64(0)
			for i := range l.Tasks {
				x := &l.Tasks[i]
				if x.Status != "success" || !x.Dataset.OK || !x.Partition.OK {
					continue
				}
				k := [2]int64{x.Dataset.V, x.Partition.V}
				if f := first[k]; f != nil {
					rs = append(rs, 1000*(x.EndMs-x.StartMs)/max(1, f.EndMs-f.StartMs))
					sum += x.EndMs - x.StartMs
					sum0 += f.EndMs - f.StartMs
				} else {
					first[k] = x
				}
			}
			if len(rs) > 2 {
				t.Log(path, len(rs), "median ratio", median(rs), "total ratio", float64(sum)/float64(sum0))
			}
		}
	}
}

func TestSelf(t *testing.T) {
	name := os.Getenv("SELF")
	if name == "" {
		t.Skip()
	}
	for _, x := range readLab(t) {
		if x.Name != name {
			continue
		}
		opt := x.losses(x, 0)
		opt.Trace, opt.Seed = true, 3
		opt.FromMs = opt.Removals[0].GoneMs - 1
		r := New(x.run).Simulate(opt)
		fmt.Printf("%+v cold %d %v\n", opt.Removals, x.run.ColdMs, x.run.Entry)
		for _, y := range r.Tasks {
			if y.EndMs > opt.Removals[0].GoneMs-3000 {
				fmt.Println(x.run.Stages[y.Stage].ID, y.Attempt, y.Task-x.run.Stages[y.Stage].First, "w", y.Worker, y.StartMs, y.EndMs, y.EndMs-y.StartMs, y.Status, y.Why)
			}
		}
	}
}
