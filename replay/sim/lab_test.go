package sim

import (
	"encoding/json"
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

// inflicted are the removals that the lab says it did, at the instants that it
// says, but not before the last sign of life: a kill takes a while.
func (x *labRun) inflicted() *Options {
	opt := &Options{Cluster: Undisturbed, ReplaceMs: x.run.ReplacedMs}
	for k, a := range x.Actions {
		r := Removal{Machine: -1, Silent: a.Kind == "silent"}
		at := a.WallMs
		if k < len(x.log.Removals) && len(x.log.Removals) == len(x.Actions) {
			at = max(at, x.log.Removals[k].GoneLowMs.Or(0)+1)
		}
		r.GoneMs = at - x.run.StartMs
		r.NoticeMs = r.GoneMs
		r.DetectMs = r.GoneMs + x.run.Rules.DetectMs
		if r.Silent {
			r.DetectMs = r.GoneMs + x.run.Rules.SilentDetectMs()
		}
		if a.UnitKind == "machine" {
			r.Machine = int32(slices.Index(x.run.Machines, a.Unit))
		} else {
			r.Workers = []int32{int32(slices.IndexFunc(x.run.Workers, func(w Worker) bool { return w.Name == a.Unit }))}
		}
		opt.Removals = append(opt.Removals, r)
	}
	return opt
}
