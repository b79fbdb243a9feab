package replay_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tracereplay/internal/duck"
	"tracereplay/internal/sparkgen"
	"tracereplay/replay"
)

// openBig makes a trace file of a large run and opens it for reading, as a
// user's is.
func openBig(b testing.TB, opt sparkgen.BigOptions) (*duck.DB, string) {
	b.Helper()
	ctx := context.Background()
	path := filepath.Join(b.TempDir(), "big.duckdb")
	db, err := duck.Open(ctx, path, duck.Options{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	specs := worldSpecs()
	for _, s := range specs {
		if err := db.CreateTable(ctx, s); err != nil {
			b.Fatal(err)
		}
	}
	run := sparkgen.Big(opt)
	if err := run.WriteTables(&tableSink{db, specs}); err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	db, err = duck.Open(ctx, path, duck.Options{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	app := run.App()
	run = nil
	debug.FreeOSMemory() // what made the run is not measured
	return db, app
}

// BenchmarkHeatMap asks for a heat map of 1,000 bins of time, from the trace
// file to the rows, at growing numbers of tasks on as many machines per task.
// open-ms is what copying the world takes, query-ms the rest, cpu-ms the time of
// both on all cores: on a machine that is busy with other things, half of it is
// the better guess at what two cores of one's own would take.
func BenchmarkHeatMap(b *testing.B) {
	for _, tasks := range []int{25_000, 50_000, 100_000} {
		b.Run(fmt.Sprintf("tasks=%d", tasks), func(b *testing.B) {
			benchmarkHeatMap(b, sparkgen.BigOptions{Seed: 1, Tasks: tasks, Machines: tasks / 1000, Removals: 3})
		})
	}
	b.Run("tasks=100000/rounds=1000", func(b *testing.B) {
		benchmarkHeatMap(b, sparkgen.BigOptions{Seed: 1, Tasks: 100_000, Machines: 100, Rounds: 1000, Removals: 3})
	})
	b.Run("tasks=1000000", func(b *testing.B) {
		if os.Getenv("TRACEREPLAY_LARGE") == "" {
			b.Skip("a million tasks take minutes to generate: set TRACEREPLAY_LARGE=1")
		}
		benchmarkHeatMap(b, sparkgen.BigOptions{Seed: 1, Tasks: 1_000_000, Machines: 1000, Removals: 3})
	})
}

func benchmarkHeatMap(b *testing.B, opt sparkgen.BigOptions) {
	ctx := context.Background()
	db, app := openBig(b, opt)
	var open, query time.Duration
	cpu := cpuTime()
	for b.Loop() {
		start := time.Now()
		w, err := replay.OpenWorld(ctx, db, app)
		if err != nil {
			b.Fatal(err)
		}
		open += time.Since(start)
		start = time.Now()
		cells, err := replay.HeatGrid(ctx, w, replay.HeatOptions{Units: replay.Units{Kind: "machine"}, Bins: 1000})
		if err != nil {
			b.Fatal(err)
		}
		query += time.Since(start)
		if len(cells) == 0 {
			b.Fatal("no cells")
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(open.Milliseconds())/float64(b.N), "open-ms")
	b.ReportMetric(float64(query.Milliseconds())/float64(b.N), "query-ms")
	b.ReportMetric(float64((cpuTime()-cpu).Milliseconds())/float64(b.N), "cpu-ms")
	b.ReportMetric(peakMB(), "peak-MB")
}

// cpuTime is what the process has used so far on all cores.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// peakMB is the most memory that the process ever had resident, 0 where the
// system does not tell.
func peakMB() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024
		}
	}
	return 0
}
