package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func sample(t *testing.T) []byte {
	t.Helper()
	f, err := os.Open("../../../sampletraces/linear-withdrawal.zstd")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func multiplied(t *testing.T, text []byte, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(args, bytes.NewReader(text), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestOneCopyIsTheLog(t *testing.T) {
	text := sample(t)
	if multiplied(t, text) != string(text) {
		t.Error("the log changed")
	}
}

// event is what the tests look at.
type event struct {
	Event     string
	Timestamp int64
	Executor  string          `json:"Executor ID"`
	Job       *int64          `json:"Job ID"`
	Stages    []int64         `json:"Stage IDs"`
	Task      *info           `json:"Task Info"`
	Stage     json.RawMessage `json:"Stage Info"`
}

type info struct {
	ID       int64 `json:"Task ID"`
	Host     string
	Executor string `json:"Executor ID"`
	Launch   int64  `json:"Launch Time"`
}

func events(t *testing.T, log string) []event {
	t.Helper()
	var all []event
	for line := range strings.Lines(log) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %.200s", err, line)
		}
		all = append(all, e)
	}
	return all
}

// Each copy has ids of its own, runs on workers that were added and not yet
// removed, and begins after the one before.
func TestCopies(t *testing.T) {
	one := events(t, multiplied(t, sample(t)))
	all := events(t, multiplied(t, sample(t), "--copies", "3", "--machines", "7", "--long-lines", "50KB"))
	count := func(events []event, name string) (n int) {
		for _, e := range events {
			if e.Event == name {
				n++
			}
		}
		return n
	}
	for name, want := range map[string]int{
		"SparkListenerLogStart": 1, "SparkListenerApplicationStart": 1, "SparkListenerApplicationEnd": count(one, "SparkListenerApplicationEnd"),
		"SparkListenerTaskEnd": 3 * count(one, "SparkListenerTaskEnd"), "SparkListenerExecutorAdded": 3 * count(one, "SparkListenerExecutorAdded"),
		"SparkListenerJobStart": 3 * count(one, "SparkListenerJobStart"),
	} {
		if got := count(all, name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	jobs, stages, tasks, alive := map[int64]bool{}, map[int64]bool{}, map[int64]bool{}, map[string]bool{}
	hosts, last := map[string]bool{}, int64(0)
	for _, e := range all {
		switch e.Event {
		case "SparkListenerExecutorAdded":
			alive[e.Executor] = true
		case "SparkListenerExecutorRemoved":
			delete(alive, e.Executor)
		case "SparkListenerJobStart":
			fresh(t, "job", jobs, *e.Job)
			for _, s := range e.Stages {
				fresh(t, "stage", stages, s)
			}
		case "SparkListenerTaskStart":
			fresh(t, "task", tasks, e.Task.ID)
			hosts[e.Task.Host] = true
			if !alive[e.Task.Executor] {
				t.Errorf("task %d runs on %s, which is not there", e.Task.ID, e.Task.Executor)
			}
			if e.Task.Launch < last-60_000 {
				t.Errorf("task %d begins at %d, an earlier one at %d", e.Task.ID, e.Task.Launch, last)
			}
			last = max(last, e.Task.Launch)
		}
	}
	if len(hosts) != 7 {
		t.Errorf("%d machines, want 7", len(hosts))
	}
}

func fresh(t *testing.T, what string, seen map[int64]bool, id int64) {
	t.Helper()
	if seen[id] {
		t.Errorf("%s %d is there twice", what, id)
	}
	seen[id] = true
}

func TestSize(t *testing.T) {
	text := sample(t)
	if got := len(multiplied(t, text, "--size", "10MB")); got < 10_000_000 || got > 10_000_000+2*len(text) {
		t.Errorf("%d bytes, want 10 MB and at most a copy more", got)
	}
	if n, err := parseSize("2GB"); n != 2e9 || err != nil {
		t.Error(n, err)
	}
	if _, err := parseSize("2XB"); err == nil {
		t.Error("2XB is taken for a size")
	}
}
