package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// asMain is this test binary as the program itself, behind another command.
func asMain(t *testing.T, dir string, env []string, before []string, args ...string) (string, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	line := append(append(before, self), args...)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), asReplay+"=1"), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// The whole pipeline runs where there is no network at all, not even a loopback.
func TestNoNetwork(t *testing.T) {
	apart := []string{"unshare", "--net"}
	if err := exec.Command("unshare", "--net", "true").Run(); err != nil {
		t.Skip("no empty network namespace can be made here: ", err)
	}
	dir := t.TempDir()
	for _, args := range [][]string{
		{"report", sampleLog(t), "-o", "out"},
		{"explain", "out/trace.duckdb"},
		{"simulate", "out/trace.duckdb", "--remove", "machine:m3@50%"},
		{"sql", "out/trace.duckdb", "SELECT count(*) FROM task"},
		{"plot", "heatmap", "out/trace.duckdb", "-o", "h.png"},
		{"notebook", "out/trace.duckdb", "-o", "n.ipynb"},
	} {
		if out, err := asMain(t, dir, nil, apart, args...); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

// One core and two, and one run and the next, give the same bytes.
func TestSameReport(t *testing.T) {
	one := []string{"env"}
	if exec.Command("taskset", "-c", "0", "true").Run() == nil {
		one = []string{"taskset", "-c", "0"} // what DuckDB goes by
	}
	base := t.TempDir()
	dirs := []string{filepath.Join(base, "one"), filepath.Join(base, "two"), filepath.Join(base, "again")}
	for i, dir := range dirs {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		before, env := []string{"env"}, []string{"GOMAXPROCS=2"}
		if i == 0 {
			before, env = one, []string{"GOMAXPROCS=1"}
		}
		for _, args := range [][]string{
			{"report", sampleLog(t), "-o", "out"},
			{"simulate", "out/trace.duckdb", "--rate", "2", "--runs", "5", "--seed", "7", "--format", "csv", "-o", "out/simulate.csv"},
			{"blast", "out/trace.duckdb", "--grid", "50", "--format", "csv", "-o", "out/blast.csv"},
		} {
			if out, err := asMain(t, dir, env, before, args...); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
		}
		// Files of a database are not the same bytes; TestSameTables compares its tables.
		if err := os.Remove(filepath.Join(dir, "out/trace.duckdb")); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range dirs[1:] {
		sameTree(t, filepath.Join(dirs[0], "out"), filepath.Join(dir, "out"))
	}
}

// sameTree compares all files below two directories.
func sameTree(t *testing.T, want, got string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(want, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		name, err := filepath.Rel(want, path)
		if err != nil {
			return err
		}
		w, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		g, err := os.ReadFile(filepath.Join(got, name))
		if err != nil || string(w) != string(g) {
			t.Errorf("%s differs (%v)", name, err)
		}
		return nil
	})
	if err != nil || files < 8 {
		t.Errorf("%d files, %v", files, err)
	}
}
