package lineage_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"tracereplay/ingest"
	"tracereplay/ingest/source"
	"tracereplay/ingest/spark"
	"tracereplay/internal/tabletest"
	"tracereplay/lineage"
)

// corpus is where the public logs are, or skips the test.
func corpus(t testing.TB) string {
	dir := os.Getenv("TRACEREPLAY_CORPUS")
	if dir == "" {
		dir = "../../shared/corpus"
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus at %s: set TRACEREPLAY_CORPUS to the folder with the public logs", dir)
	}
	return dir
}

// read runs a log through ingest and lineage and keeps all rows.
func read(t testing.TB, path string) (tabletest.Sink, ingest.Summary) {
	t.Helper()
	logs, _, err := source.Resolve([]string{path}, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sink := tabletest.Sink{}
	var sum ingest.Summary
	for i, log := range logs {
		rec := ingest.NewRecorder(ingest.RecorderOptions{
			Log: int64(i), LogName: log.Name, AppID: log.AppID, AppAttempt: log.AppAttempt, Sink: sink, Listener: lineage.NewBuilder(sink),
		})
		r, err := log.Open(source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		dec := spark.NewDecoder(spark.Options{})
		for {
			b, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			var batch ingest.Batch
			dec.Decode(&batch, b.Data, log.Parts[b.Part].Name, b.Offset, b.Line, b.Seq, b.Cut)
			if err := rec.Batch(&batch); err != nil {
				t.Fatal(err)
			}
		}
		if sum, err = rec.Finish(nil, r.Problems()); err != nil {
			t.Fatal(err)
		}
		r.Close()
	}
	return sink, sum
}

func TestDump(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip("set DUMP to a log")
	}
	sink, sum := read(t, path)
	t.Logf("%+v", sum)
	for _, name := range []string{"dataset", "input", "need", "removal", "removal_worker", "rerun", "holder"} {
		for _, r := range sink[name] {
			t.Logf("%s %v", name, r)
		}
	}
	for n, rows := range sink {
		t.Logf("%s %d", n, len(rows))
	}
	for i, r := range sink["problem"] {
		if i < 20 {
			t.Logf("problem %v", r)
		}
	}
}

func TestDumpAll(t *testing.T) {
	pattern := os.Getenv("DUMPALL")
	if pattern == "" {
		t.Skip("set DUMPALL to a pattern of logs")
	}
	paths, _ := filepath.Glob(pattern)
	for _, path := range paths {
		sink, sum := read(t, path)
		kinds := map[string]int{}
		for _, r := range sink["removal"] {
			kinds[r.Text("kind")+"/"+r.Text("cause")+"/"+r.Text("unit_kind")]++
		}
		t.Logf("%s: apps %d jobs %d stages %d tasks %d machines %d workers %d removals %v problems %v rerun %d outputs %d datasets %d unknown %v", filepath.Base(path), len(sink["app"]), len(sink["job"]),
			len(sink["stage"]), len(sink["task"]), len(sink["machine"]), len(sink["worker"]), kinds, sum.Problems, len(sink["rerun"]), len(sink["output"]), len(sink["dataset"]), len(sum.Unknown))
		for _, r := range sink["finding"] {
			t.Logf("      %v %v %v", r["check_name"], r["seq"], r["detail"])
		}
	}
}
