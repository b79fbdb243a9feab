package sparkgen_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"tracereplay/ingest"
	"tracereplay/ingest/spark"
	"tracereplay/internal/sparkgen"
	"tracereplay/internal/table"
)

// counter counts the rows of each table and checks them against their specs.
type counter map[string]int64

func (c counter) Write(s *table.Spec, rec arrow.Record) error {
	c[s.Name] += rec.NumRows()
	return s.Check(rec)
}

// record reads a log through the real reader.
func record(t testing.TB, log []byte, sink table.Sink) ingest.Summary {
	t.Helper()
	var batch ingest.Batch
	spark.NewDecoder(spark.Options{}).Decode(&batch, log, "gen", 0, 1, 1, false)
	rec := ingest.NewRecorder(ingest.RecorderOptions{Log: 1, LogName: "gen", Sink: sink})
	if err := rec.Batch(&batch); err != nil {
		t.Fatal(err)
	}
	sum, err := rec.Finish(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range batch.Problems {
		t.Errorf("problem: %+v", p)
	}
	for k, n := range sum.Problems {
		t.Errorf("%d problems of kind %v", n, k)
	}
	return sum
}

func TestBigTablesAgreeWithLog(t *testing.T) {
	for _, opt := range []sparkgen.BigOptions{
		{Seed: 1, Tasks: 3000, Machines: 8},
		{Seed: 2, Tasks: 3000, Machines: 5, Removals: 3},
		{Seed: 3, Tasks: 2000, Machines: 5, Removals: 2, ESS: true, NoCache: true},
	} {
		run := sparkgen.Big(opt)
		rows := counter{}
		if err := run.WriteTables(rows); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		if err := run.WriteLog(&log); err != nil {
			t.Fatal(err)
		}
		logged := counter{}
		record(t, log.Bytes(), logged)
		for _, name := range []string{"worker", "machine", "job", "job_stage", "stage"} {
			if rows[name] != logged[name] {
				t.Errorf("%+v: %d rows of %s, the log gives %d", opt, rows[name], name, logged[name])
			}
		}
		if rows["attempt"] != logged["task"] || int(rows["attempt"]) != run.Tasks() {
			t.Errorf("%+v: %d attempts, the log gives %d tasks", opt, rows["attempt"], logged["task"])
		}
		if rows["output"] != rows["residence"] || rows["need"] == 0 || rows["input"] == 0 {
			t.Errorf("%+v: rows %v", opt, rows)
		}
	}
}

func TestBigIsDeterministic(t *testing.T) {
	opt := sparkgen.BigOptions{Seed: 9, Tasks: 1000, Machines: 4, Removals: 1}
	var a, b bytes.Buffer
	if err := sparkgen.Big(opt).WriteLog(&a); err != nil {
		t.Fatal(err)
	}
	if err := sparkgen.Big(opt).WriteLog(&b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("the same seed gave two logs")
	}
}

func BenchmarkBigTables(b *testing.B) {
	for _, c := range []struct {
		name string
		opt  sparkgen.BigOptions
	}{
		{"100k", sparkgen.BigOptions{Seed: 1}},
		{"1M", sparkgen.BigOptions{Seed: 1, Tasks: 1_000_000, Machines: 1000}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if err := sparkgen.Big(c.opt).WriteTables(counter{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBigLog(b *testing.B) {
	run := sparkgen.Big(sparkgen.BigOptions{Seed: 1})
	n := int64(0)
	for b.Loop() {
		w := &byteCount{}
		if err := run.WriteLog(w); err != nil {
			b.Fatal(err)
		}
		n = w.n
	}
	b.SetBytes(n)
}

type byteCount struct{ n int64 }

func (w *byteCount) Write(p []byte) (int, error) {
	w.n += int64(len(p))
	return len(p), nil
}

var _ io.Writer = (*byteCount)(nil)
