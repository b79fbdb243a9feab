package lineage_test

import (
	"bytes"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"tracereplay/ingest"
	"tracereplay/ingest/spark"
	"tracereplay/internal/sparkgen"
	"tracereplay/internal/table"
	"tracereplay/lineage"
)

// BenchmarkLineage is what lineage and residence cost, rows of their tables
// included: decoded events are recorded with and without them. Rows are those
// of the tables of lineage; a dense shuffle of 10,000 pieces on either side adds
// no row for each pair.
func BenchmarkLineage(b *testing.B) {
	for _, tasks := range []int{25_000, 50_000, 100_000} {
		b.Run(fmt.Sprintf("tasks=%d", tasks), func(b *testing.B) {
			benchmarkLineage(b, sparkgen.BigOptions{Seed: 1, Tasks: tasks, Machines: tasks / 1000, Removals: 5})
		})
	}
	b.Run("wide=10000x10000", func(b *testing.B) {
		benchmarkLineage(b, sparkgen.BigOptions{Seed: 1, Tasks: 30_000, Machines: 320, Rounds: 3, NoCache: true})
	})
}

func benchmarkLineage(b *testing.B, opt sparkgen.BigOptions) {
	run := sparkgen.Big(opt)
	var log bytes.Buffer
	if err := run.WriteLog(&log); err != nil {
		b.Fatal(err)
	}
	var batch ingest.Batch
	spark.NewDecoder(spark.Options{}).Decode(&batch, log.Bytes(), "log", 0, 1, 1, false)
	var without, with time.Duration
	var rows rowCount
	for b.Loop() {
		begin := cpuTime(b)
		record(b, &batch, nil)
		middle := cpuTime(b)
		without += middle - begin
		rows = rowCount{}
		record(b, &batch, lineage.NewBuilder(&rows))
		with += cpuTime(b) - middle
	}
	cpuPerTask := func(d time.Duration) float64 {
		return float64(d.Nanoseconds()) / float64(b.N) / float64(run.Tasks())
	}
	b.ReportMetric(cpuPerTask(with-without), "lineage-cpu-ns/task")
	b.ReportMetric(cpuPerTask(without), "recording-cpu-ns/task")
	b.ReportMetric(float64(rows.n)/float64(run.Tasks()), "rows/task")
}

func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func record(b *testing.B, batch *ingest.Batch, listener ingest.Listener) {
	rec := ingest.NewRecorder(ingest.RecorderOptions{LogName: "log", Sink: &rowCount{}, Listener: listener})
	if err := rec.Batch(batch); err != nil {
		b.Fatal(err)
	}
	if _, err := rec.Finish(nil, nil); err != nil {
		b.Fatal(err)
	}
}

// rowCount counts rows and drops them.
type rowCount struct{ n int64 }

func (c *rowCount) Write(_ *table.Spec, rec arrow.Record) error {
	c.n += rec.NumRows()
	return nil
}
