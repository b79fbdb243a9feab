package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"tracereplay/internal/duck"
)

// BenchmarkIngest reads real logs, plain and compressed, into trace files with
// all tables filled, beside DuckDB's own JSON reader, which only makes one table
// of the same logs. It writes MB/s of the log's text, and ms of processor time,
// which is steadier on a busy machine.
//
//	go test ./cmd/replay -run xxx -bench Ingest -benchtime 3x
//
// BENCH_LOG names a plain log to read instead.
func BenchmarkIngest(b *testing.B) {
	if log := os.Getenv("BENCH_LOG"); log != "" {
		info, err := os.Stat(log)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("plain", func(b *testing.B) { benchmarkIngest(b, log, info.Size()) })
		b.Run("read_ndjson", func(b *testing.B) { benchmarkReadNDJSON(b, readNDJSON, log, info.Size()) })
		b.Run("read_ndjson_tasks", func(b *testing.B) { benchmarkReadNDJSON(b, readNDJSONTasks, log, info.Size()) })
		return
	}
	for _, name := range []string{"14-databricks-photon-142MB", "01-rapids-exec-lost-fetchfailed", "10-exec-crashloop-47removed"} {
		packed := filepath.Join(corpus(b), "spark", name+".zstd")
		plain, size := unpack(b, packed)
		b.Run(name+"/zstd", func(b *testing.B) { benchmarkIngest(b, packed, size) })
		b.Run(name+"/plain", func(b *testing.B) { benchmarkIngest(b, plain, size) })
		b.Run(name+"/read_ndjson", func(b *testing.B) { benchmarkReadNDJSON(b, readNDJSON, plain, size) })
		b.Run(name+"/read_ndjson_tasks", func(b *testing.B) { benchmarkReadNDJSON(b, readNDJSONTasks, plain, size) })
	}
}

// readNDJSON reads the fields that ingest reads, of all kinds of events;
// readNDJSONTasks only those of table task.
var (
	//go:embed testdata/read_ndjson.sql
	readNDJSON string
	//go:embed testdata/read_ndjson_tasks.sql
	readNDJSONTasks string
)

func benchmarkReadNDJSON(b *testing.B, query, log string, size int64) {
	target := filepath.Join(b.TempDir(), "t.duckdb")
	b.SetBytes(size)
	defer reportCPU(b)()
	for b.Loop() {
		if err := readNDJSONInto(b.Context(), target, query, log); err != nil {
			b.Fatal(err)
		}
	}
}

// readNDJSONInto makes a database file of a log, from nothing to closed, as
// ingest does.
func readNDJSONInto(ctx context.Context, target, query, log string) error {
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	db, err := duck.Open(ctx, target, duck.Options{Unsealed: true})
	if err != nil {
		return err
	}
	return errors.Join(db.Exec(ctx, query, log), db.Close())
}

// reportCPU begins to count processor time; the function it returns ends it.
func reportCPU(b *testing.B) func() {
	begin := cpuTime(b)
	return func() { b.ReportMetric(float64((cpuTime(b)-begin).Milliseconds())/float64(b.N), "cpu-ms/op") }
}

func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func unpack(b *testing.B, packed string) (path string, size int64) {
	b.Helper()
	f, err := os.Open(packed)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	dec, err := zstd.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	defer dec.Close()
	path = filepath.Join(b.TempDir(), "log")
	out, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	size, err = dec.WriteTo(out)
	if err != nil {
		b.Fatal(err)
	}
	return path, size
}

func benchmarkIngest(b *testing.B, log string, size int64) {
	target := filepath.Join(b.TempDir(), "t.duckdb")
	b.SetBytes(size)
	defer reportCPU(b)()
	for b.Loop() {
		var errs bytes.Buffer
		code := run(context.Background(), []string{"ingest", log, "-o", target, "--force"}, nil, &errs, &errs)
		if code != exitDone && code != exitProblems {
			b.Fatal(errs.String())
		}
	}
	if info, err := os.Stat(target); err == nil {
		b.ReportMetric(float64(info.Size())/(1<<20), "MiB-trace")
	}
}
