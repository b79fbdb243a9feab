package lineage_test

import (
	"path/filepath"
	"testing"

	"tracereplay/internal/problem"
	"tracereplay/internal/tabletest"
)

// figures of one log, as the corpus' README gives them; what it lacks was
// counted by grep over the raw lines.
type figures struct {
	apps, jobs, stages, skipped int // jobs: that started; stages: attempts with tasks or without; skipped: listed and never submitted
	ends, tasks                 int // task ends, Resubmitted ones among them; attempts launched
	machines, workers           int // the coordinator's own store not among the workers
	removed                     int // ExecutorRemoved, each worker once
	fetch, resubmitted, lost    int // ends of these kinds
	problems                    map[problem.Kind]int64
}

// TestEveryLog reads every public log and compares its figures.
func TestEveryLog(t *testing.T) {
	for file, want := range map[string]figures{
		"01-rapids-exec-lost-fetchfailed.zstd": {
			apps: 1, jobs: 75, stages: 135, skipped: 95, ends: 8630, tasks: 8580, machines: 6, workers: 8, removed: 2, fetch: 2, resubmitted: 50, lost: 1,
			// 5 jobs of which only the end is there, and their 5 stages
			problems: map[problem.Kind]int64{problem.OrphanEvent: 10},
		},
		"02-yarn-exec-oom-x8":              {apps: 1, jobs: 8, stages: 14, ends: 35, tasks: 35, machines: 3, workers: 9, removed: 8, lost: 8},
		"06-slim-21hosts-cached-blocks":    {apps: 1, jobs: 1, stages: 2, ends: 203, tasks: 209, machines: 21, workers: 20, removed: 18},
		"07-slim-skipped-stages":           {apps: 1, jobs: 6, stages: 11, skipped: 8, ends: 823, tasks: 823, machines: 1},
		"10-exec-crashloop-47removed.zstd": {apps: 1, jobs: 63, stages: 93, ends: 16984, tasks: 16984, machines: 8, workers: 54, removed: 47},
		"12-gpu-oom-job-failures.zstd":     {apps: 1, jobs: 37, stages: 37, skipped: 1, ends: 12416, tasks: 12447, machines: 3, workers: 2},
		"14-databricks-photon-142MB.zstd":  {apps: 1, jobs: 57, stages: 57, skipped: 51, ends: 4896, tasks: 4896, machines: 3, workers: 2, removed: 1},
		"16-nds-q86-8hosts.zstd":           {apps: 1, jobs: 34, stages: 37, ends: 15237, tasks: 15237, machines: 8, workers: 16},
		"17-spark4.1-local-failures.zstd":  {apps: 1, jobs: 23, stages: 23, skipped: 24, ends: 52, tasks: 52, machines: 1},
		"18-malformed-json.zstd":           {apps: 1, jobs: 2, stages: 5, ends: 217, tasks: 217, machines: 5, workers: 9, removed: 1, problems: map[problem.Kind]int64{problem.MalformedLine: 1}},
		"19-corrupted-events": {
			apps: 1, jobs: 10, stages: 10, skipped: 11, machines: 1, workers: 2, removed: 1, // one worker was removed and its addition lacks the id
			problems: map[problem.Kind]int64{problem.MissingField: 6},
		},
		// The cut line ends in a newline, so nothing tells that it is the log's end.
		"20-truncated-midline":                 {apps: 1, jobs: 1, stages: 1, ends: 1, tasks: 1, machines: 2, workers: 2, problems: map[problem.Kind]int64{problem.MalformedLine: 1}},
		"21-crlf":                              {apps: 1, jobs: 1, stages: 2, ends: 4, tasks: 4, machines: 2, workers: 1},
		"22-trailing-brace":                    {apps: 1, jobs: 1, stages: 1, ends: 26, tasks: 26, machines: 1, workers: 4, problems: map[problem.Kind]int64{problem.MalformedLine: 26}},
		"24-k8s-rolling-3.5.3":                 {apps: 1, jobs: 6, stages: 6, skipped: 2, ends: 73, tasks: 73, machines: 0, workers: 4},
		"25-spark1.2-no-version":               {apps: 1, jobs: 3, stages: 4, ends: 32, tasks: 32, machines: 1},
		"27-streaming-24sql":                   {apps: 1, jobs: 8, stages: 16, ends: 24, tasks: 24, machines: 1},
		"28-task-job-failure-spec-24exec.zstd": {apps: 1, jobs: 1, stages: 5, skipped: 2, ends: 3411, tasks: 3413, machines: 6, workers: 24},
		"eventlog_v2_local-1623876083964":      {apps: 1, jobs: 1, stages: 4, ends: 2801, tasks: 2801, machines: 1},
		"db_rolled":                            {apps: 1, jobs: 1, stages: 4, ends: 2801, tasks: 2801, machines: 1},
		"spark1.2-directory":                   {apps: 1, jobs: 1, stages: 1, ends: 8, tasks: 8, machines: 1},
	} {
		t.Run(file, func(t *testing.T) {
			sink, sum := read(t, filepath.Join(corpus(t), "spark", file))
			got := count(sink)
			got.problems = sum.Problems
			compare(t, got, want)
			for _, c := range sink["finding"] {
				if file != "19-corrupted-events" { // its tasks are gone, so its shuffles were never made
					t.Errorf("invariant %s: %s", c.Text("check_name"), c.Text("detail"))
				}
			}
		})
	}
}

// count takes the figures from the rows.
func count(s tabletest.Sink) figures {
	f := figures{apps: len(s["app"]), stages: len(s["stage"]), tasks: len(s["task"]), machines: len(s["machine"]), resubmitted: len(s["resubmit"])}
	for _, j := range s["job"] {
		if j["submit_seq"] != nil {
			f.jobs++
		}
	}
	run, listed := map[int64]bool{}, map[int64]bool{}
	for _, r := range s["stage"] {
		run[r.Int("stage")] = true
	}
	for _, r := range s["job_stage"] {
		listed[r.Int("stage")] = true
	}
	for id := range listed {
		if !run[id] {
			f.skipped++
		}
	}
	for _, r := range s["task"] {
		if r["end_seq"] != nil {
			f.ends++
		}
		switch r.Text("status") {
		case "fetch_failed":
			f.fetch++
		case "worker_lost":
			f.lost++
		}
	}
	f.ends += f.resubmitted
	for _, w := range s["worker"] {
		if w["is_coordinator"] == true {
			continue
		}
		f.workers++
		if w["removed_seq"] != nil {
			f.removed++
		}
	}
	return f
}

func compare(t *testing.T, got, want figures) {
	t.Helper()
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"apps", got.apps, want.apps},
		{"jobs", got.jobs, want.jobs},
		{"stages", got.stages, want.stages},
		{"skipped stages", got.skipped, want.skipped},
		{"task ends", got.ends, want.ends},
		{"tasks", got.tasks, want.tasks},
		{"machines", got.machines, want.machines},
		{"workers", got.workers, want.workers},
		{"removed workers", got.removed, want.removed},
		{"fetch failures", got.fetch, want.fetch},
		{"resubmitted", got.resubmitted, want.resubmitted},
		{"tasks lost with a worker", got.lost, want.lost},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
	for k, n := range got.problems {
		if want.problems[k] != n {
			t.Errorf("problems of kind %s: %d, want %d", k, n, want.problems[k])
		}
	}
	for k, n := range want.problems {
		if got.problems[k] == 0 {
			t.Errorf("no problem of kind %s, want %d", k, n)
		}
	}
}
