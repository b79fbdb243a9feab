package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A run over many logs is killed in the middle; the next one reads only what
// was not finished, and its trace is that of a run that nobody disturbed.
func TestManyKilled(t *testing.T) {
	dir := t.TempDir()
	logs := filepath.Join(dir, "logs")
	fleetCopies(t, logs)
	whole, target := filepath.Join(dir, "whole.duckdb"), filepath.Join(dir, "t.duckdb")
	must(t, "ingest", logs, "-o", whole)

	// The last log is a pipe that nobody writes to: the others are finished,
	// and the run waits.
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	keepOpen, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer keepOpen.Close()
	begin := `{"Event":"SparkListenerLogStart","Spark Version":"3.5.0"}
{"Event":"SparkListenerApplicationStart","App Name":"x","App ID":"app-9","Timestamp":1000,"User":"u"}
`
	// Enough of it that the pipe is known for a log, and less than it holds.
	begin += strings.Repeat(`{"Event":"padding","Text":"`+strings.Repeat("x", 970)+`"}`+"\n", 55)
	if _, err := keepOpen.WriteString(begin); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "ingest", logs, pipe, "-o", target, "--jobs", "2")
	cmd.Env = append(os.Environ(), asReplay+"=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill() // in case the test fails before it does
	parts := filepath.Join(dir, ".t.duckdb.parts")
	waitFor(t, func() bool {
		done, _ := filepath.Glob(filepath.Join(parts, "*.json"))
		return len(done) == len(fleetLogs)
	})
	var errs bytes.Buffer
	if code := run(t.Context(), []string{"ingest", logs, "-o", target}, nil, &errs, &errs); code != exitFailed || !strings.Contains(errs.String(), "another process") {
		t.Errorf("two runs with one target: %d, %s", code, errs.String())
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()

	errs.Reset()
	if code := run(t.Context(), []string{"ingest", logs, "-o", target}, nil, &errs, &errs); code != exitDone || !strings.Contains(errs.String(), "3 of 3 logs were finished by an earlier run") {
		t.Errorf("after the kill: %d, %s", code, errs.String())
	}
	sameAnswers(t, whole, target)
	if left, _ := filepath.Glob(filepath.Join(dir, ".t.duckdb*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for range 2400 { // two minutes: a busy machine is no failure
		if done() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("nothing came of it")
}

// One trace of many logs is the same as the logs read one after the other; a
// run that is broken off before anything is finished leaves nothing.
func TestManyOdd(t *testing.T) {
	dir := t.TempDir()
	logs := filepath.Join(dir, "logs")
	fleetCopies(t, logs)
	target := filepath.Join(dir, "t.duckdb")
	must(t, "ingest", logs, "-o", target)
	ask := "SELECT log, app, (SELECT count(*) FROM task AS t WHERE t.app = a.app) AS tasks, (SELECT count(*) FROM rerun AS t WHERE t.app = a.app) AS reruns FROM app AS a ORDER BY log"
	if got, want := must(t, "sql", target, ask, "--format", "csv"), must(t, "sql", logs, ask, "--format", "csv"); got != want {
		t.Errorf("many at a time:\n%s\none after the other:\n%s", got, want)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var errs bytes.Buffer
	if code := run(ctx, []string{"ingest", logs, "-o", target, "--force"}, nil, &errs, &errs); code != exitFailed {
		t.Errorf("interrupted: %d, %s", code, errs.String())
	}
	if _, err := os.Stat(filepath.Join(dir, ".t.duckdb.parts")); err == nil {
		t.Error("a run that finished nothing left its directory")
	} else if !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
