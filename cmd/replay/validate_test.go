package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPredictionLooksBackOnly changes where and when tasks ran after the first
// line that tells of a removal, and keeps the shape of the jobs: nothing that is
// predicted of that removal changes, though what ran again does.
func TestPredictionLooksBackOnly(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"linear-withdrawal", "linear-exit", "diamond-withdrawal", "twice-withdrawal", "reuse-withdrawal", "checkpoint-withdrawal", "sql-withdrawal"} {
		t.Run(name, func(t *testing.T) {
			lines := strings.Split(strings.TrimSpace(unzstd(t, "../../sampletraces/"+name+".zstd")), "\n")
			dir := t.TempDir()
			as := func(file string, lines []string) map[string]string {
				path := filepath.Join(dir, file)
				if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				return csvOf(t, "validate", path)[0]
			}
			before, after := as("logged", lines), as("changed", elsewhereAndLater(t, lines))
			for column := range before {
				if strings.HasPrefix(column, "predicted_") || column == "in_flight_tasks" || column == "removal" {
					if before[column] != after[column] {
						t.Errorf("%s: %s as logged, %s when what came later is changed", column, before[column], after[column])
					}
				}
			}
			if before["actual_ms"] == after["actual_ms"] {
				t.Error("the change is not seen at all: the test says nothing")
			}
		})
	}
}

// elsewhereAndLater moves each task that was launched after the first line
// about a removal to another worker that lived on, and lets each that ended
// after it end later.
func elsewhereAndLater(t *testing.T, lines []string) []string {
	t.Helper()
	type worker struct{ id, host string }
	var alive []worker
	events := make([]map[string]any, len(lines))
	cut := -1
	for i, line := range lines {
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&events[i]); err != nil {
			t.Fatal(err)
		}
		if cut < 0 && tellsOfRemoval(events[i]) {
			cut = i
		}
	}
	for i, e := range events {
		id, _ := e["Executor ID"].(string)
		switch e["Event"] {
		case "SparkListenerExecutorAdded":
			if i < cut {
				alive = append(alive, worker{id, e["Executor Info"].(map[string]any)["Host"].(string)})
			}
		case "SparkListenerExecutorRemoved":
			alive = slices.DeleteFunc(alive, func(w worker) bool { return w.id == id })
		}
	}
	moved := map[json.Number]bool{}
	out := slices.Clone(lines)
	for i := cut; i < len(events); i++ {
		info, ok := events[i]["Task Info"].(map[string]any)
		if !ok {
			continue
		}
		id := info["Task ID"].(json.Number)
		n, _ := id.Int64()
		if events[i]["Event"] == "SparkListenerTaskStart" {
			moved[id] = true
		}
		if moved[id] {
			w := alive[(n*7+3)%int64(len(alive))]
			info["Executor ID"], info["Host"] = w.id, w.host
		}
		if ms, _ := info["Finish Time"].(json.Number).Int64(); ms > 0 && tellsNothingOfBefore(events[i], moved[id]) {
			info["Finish Time"] = ms + 100 + n%900
		}
		text, err := json.Marshal(events[i])
		if err != nil {
			t.Fatal(err)
		}
		out[i] = string(text)
	}
	return out
}

// tellsOfRemoval: the first such line ends what a prediction may look at.
func tellsOfRemoval(e map[string]any) bool {
	if e["Event"] == "SparkListenerExecutorRemoved" {
		return true
	}
	reason, _ := e["Task End Reason"].(map[string]any)
	return reason != nil && slices.Contains([]any{"ExecutorLostFailure", "Resubmitted", "FetchFailed"}, reason["Reason"])
}

// tellsNothingOfBefore: a second end of a task that had succeeded before
// (Resubmitted) repeats its first finish time.
func tellsNothingOfBefore(e map[string]any, moved bool) bool {
	reason, _ := e["Task End Reason"].(map[string]any)
	return moved || reason == nil || reason["Reason"] != "Resubmitted"
}
