package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever ends a run, its target is absent, the old one, or whole.

func sampleLog(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../sampletraces/linear-withdrawal.zstd")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// names are the entries of a directory.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// A run that is interrupted while its log still comes leaves nothing.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	log, err := os.ReadFile(sampleLog(t))
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	defer r.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = w.Write(log[:len(log)/2])
		for names(t, dir) == "" {
			time.Sleep(time.Millisecond)
		}
		cancel() // the pipe stays open and mute
	}()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"ingest", "-", "-o", filepath.Join(dir, "t.duckdb")}, r, &out, &errs)
	if code != exitFailed || !strings.Contains(errs.String(), "interrupted") || !strings.Contains(errs.String(), "nothing stands there") {
		t.Errorf("exit code %d, %s", code, errs.String())
	}
	if left := names(t, dir); left != "" {
		t.Errorf("left: %s", left)
	}
}

// asReplay makes this test binary the program itself.
const asReplay = "TRACEREPLAY_TEST_AS_MAIN"

// killed runs the program and ends it with SIGKILL after a while. It tells
// whether that came before its own end.
func killed(t *testing.T, after time.Duration, args ...string) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asReplay+"=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	return errors.As(err, &exit) && !exit.Exited()
}

// isWhole tells whether a trace can be read to its last table.
func isWhole(t *testing.T, trace string) bool {
	t.Helper()
	var out, errs bytes.Buffer
	query := "SELECT (SELECT count(*) FROM task) > 0 AND (SELECT count(*) FROM removal) = 1"
	code := run(t.Context(), []string{"sql", trace, query, "--format", "csv"}, nil, &out, &errs)
	return code == exitDone && strings.Contains(out.String(), "true")
}

func TestKilled(t *testing.T) {
	runs := 8
	if testing.Short() {
		runs = 3
	}
	dir := t.TempDir()
	target := filepath.Join(dir, "t.duckdb")
	args := []string{"ingest", sampleLog(t), "-o", target, "--force"}
	begin := time.Now()
	if killed(t, time.Minute, args...) {
		t.Fatal("a run took a minute")
	}
	full := time.Since(begin)
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	seed := rand.New(rand.NewPCG(1, 2))
	kills := 0
	for i := range runs {
		if killed(t, time.Duration(seed.Int64N(int64(full))), args...) {
			kills++
		}
		_, err := os.Stat(target)
		if err == nil && !isWhole(t, target) {
			t.Errorf("run %d: the trace is there and not whole", i)
		}
	}
	// The next run cleans up after the dead.
	if killed(t, time.Minute, args...) || !isWhole(t, target) || names(t, dir) != "t.duckdb" {
		t.Errorf("after %d kills: %s", kills, names(t, dir))
	}
	t.Logf("%d of %d runs were killed", kills, runs)
}

// Two runs with one target: one of them wins, the other says so.
func TestSameTarget(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "t.duckdb")
	codes := make(chan int)
	for range 2 {
		go func() {
			var errs bytes.Buffer
			codes <- run(context.Background(), []string{"ingest", sampleLog(t), "-o", target}, nil, &errs, &errs)
		}()
	}
	if a, b := <-codes, <-codes; a+b != exitDone+exitFailed {
		t.Errorf("exit codes %d and %d", a, b)
	}
	if !isWhole(t, target) || names(t, dir) != "t.duckdb" {
		t.Errorf("left: %s", names(t, dir))
	}
}

// A full disk fails the run, says which target could not be written, and
// leaves nothing. It needs the right to mount a small file system.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "none", dir).Run(); err != nil {
		t.Skip("no small file system can be mounted here: ", err)
	}
	defer func() {
		if err := exec.Command("umount", dir).Run(); err != nil {
			t.Error(err)
		}
	}()
	for _, args := range [][]string{
		{"ingest", sampleLog(t), "-o", filepath.Join(dir, "t.duckdb")},
		{"report", sampleLog(t), "-o", filepath.Join(dir, "out")},
		{"ingest", sampleLog(t), "--tables", filepath.Join(dir, "tables"), "--tables-format", "csv"},
		{"sql", sampleLog(t), "SELECT range FROM range(1000000)", "-o", filepath.Join(dir, "rows.csv"), "--format", "csv"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), args, nil, &out, &errs)
		if code != exitFailed || !strings.Contains(errs.String(), dir) || !strings.Contains(errs.String(), "nothing stands there") {
			t.Errorf("%v: exit code %d, %s", args, code, errs.String())
		}
		if left := names(t, dir); left != "" {
			t.Errorf("%v left %s", args, left)
		}
	}
}

// On a file system of its own a target is written as anywhere; on one that may
// only be read the run fails and the old target stays.
func TestReadOnlyTarget(t *testing.T) {
	dir := t.TempDir()
	mount := func(args ...string) error { return exec.Command("mount", append(args, dir)...).Run() }
	if err := mount("-t", "tmpfs", "-o", "size=64m", "none"); err != nil {
		t.Skip("no small file system can be mounted here: ", err)
	}
	defer func() {
		if err := exec.Command("umount", dir).Run(); err != nil {
			t.Error(err)
		}
	}()
	target := filepath.Join(dir, "t.duckdb")
	args := []string{"ingest", sampleLog(t), "-o", target, "--force"}
	var errs bytes.Buffer
	if code := run(t.Context(), args, nil, &errs, &errs); code != exitDone || !isWhole(t, target) {
		t.Fatalf("exit code %d, %s", code, errs.String())
	}
	if err := mount("-o", "remount,ro"); err != nil {
		t.Fatal(err)
	}
	errs.Reset()
	code := run(t.Context(), args, nil, &errs, &errs)
	if code != exitFailed || !strings.Contains(errs.String(), syscall.EROFS.Error()) || !strings.Contains(errs.String(), "the old one, as it was") {
		t.Errorf("exit code %d, %s", code, errs.String())
	}
	if !isWhole(t, target) || names(t, dir) != "t.duckdb" {
		t.Errorf("left: %s", names(t, dir))
	}
}

// A directory in which nothing may be made.
func TestNoPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"ingest", sampleLog(t), "-o", filepath.Join(dir, "t.duckdb")}, nil, &out, &errs)
	if code != exitFailed || !strings.Contains(errs.String(), syscall.EACCES.Error()) {
		t.Errorf("exit code %d, %s", code, errs.String())
	}
}
