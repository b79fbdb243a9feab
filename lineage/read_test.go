package lineage_test

import (
	"errors"
	"io"
	"os"
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
