package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// BenchmarkIngest reads real logs, plain and compressed, into trace files with
// all tables filled, and writes MB/s of the log's text.
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
		benchmarkIngest(b, log, info.Size())
		return
	}
	for _, name := range []string{"14-databricks-photon-142MB", "01-rapids-exec-lost-fetchfailed", "10-exec-crashloop-47removed"} {
		packed := filepath.Join(corpus(b), "spark", name+".zstd")
		plain, size := unpack(b, packed)
		b.Run(name+"/zstd", func(b *testing.B) { benchmarkIngest(b, packed, size) })
		b.Run(name+"/plain", func(b *testing.B) { benchmarkIngest(b, plain, size) })
	}
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
