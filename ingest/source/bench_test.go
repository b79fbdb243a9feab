package source

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// benchText is 64 MiB of lines like those of a TaskEnd: mostly names of fields,
// with numbers that differ.
func benchText() []byte {
	rnd := rand.New(rand.NewPCG(5, 6))
	text := make([]byte, 0, 65<<20)
	for len(text) < 64<<20 {
		text = append(text, `{"Event":"SparkListenerTaskEnd","Stage ID":`...)
		text = strconv.AppendInt(text, int64(len(text)>>16), 10)
		for _, field := range []string{`,"Launch Time":`, `,"Finish Time":`, `,"Executor Run Time":`, `,"Executor CPU Time":`, `,"Peak Execution Memory":`, `,"Result Size":`, `,"JVM GC Time":`, `,"Shuffle Bytes Written":`, `,"Remote Bytes Read":`} {
			text = append(text, field...)
			text = strconv.AppendInt(text, rnd.Int64N(1<<(8+rnd.Uint64N(32))), 10)
			text = append(text, `,"Accumulables":[{"ID":7,"Name":"internal.metrics.executorRunTime","Update":"1","Value":"2","Internal":true,"Count Failed Values":true}]`...)
		}
		text = append(text, "}\n"...)
	}
	return text
}

// BenchmarkRead is the whole way from a file in the page cache to blocks; MB/s
// are those of the text. Run with -cpu 1 for the cost on one core.
func BenchmarkRead(b *testing.B) {
	text := benchText()
	for _, codec := range codecs() {
		b.Run(codec, func(b *testing.B) {
			data := text
			if codec != codecNone {
				data = packers[codec](text, map[string]int{codecGzip: 1 << 20, codecZstd: 1 << 20}[codec]|32<<10).data
			}
			path := filepath.Join(b.TempDir(), "log")
			must(os.WriteFile(path, data, 0o644))
			l := &Log{Name: "log"}
			const times = 8 // a log large enough that its first buffers do not count
			for range times {
				l.add(fsNode(path, new(int64)), 0, codec)
			}
			b.SetBytes(int64(len(text)) * times)
			b.ReportAllocs()
			b.ResetTimer()
			start := cpuSeconds()
			for range b.N {
				readAll(b, l)
			}
			b.ReportMetric(float64(len(text))*times*float64(b.N)/1e6/(cpuSeconds()-start), "MB/cpu-s")
			b.ReportMetric(float64(len(text))/float64(len(data)), "ratio")
		})
	}
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func readAll(b *testing.B, l *Log) {
	r, err := l.Open(Options{})
	if err != nil {
		b.Fatal(err)
	}
	for {
		block, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			b.Fatal(err)
		}
		block.Release()
	}
	if len(r.Problems()) > 0 {
		b.Fatal(r.Problems())
	}
}

// BenchmarkResolve is the cost of finding one log among many small ones.
func BenchmarkResolve(b *testing.B) {
	dir := b.TempDir()
	for i := range 1000 {
		must(os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), []byte(applog("app-"+strconv.Itoa(i), 20, true)), 0o644))
	}
	b.ResetTimer()
	for range b.N {
		logs, _, err := Resolve([]string{dir}, Options{})
		if err != nil || len(logs) != 1000 {
			b.Fatal(len(logs), err)
		}
	}
}

// BenchmarkFloor reads the same bytes and does nothing with them: what is left
// between it and BenchmarkRead/none is ours.
func BenchmarkFloor(b *testing.B) {
	text := benchText()
	path := filepath.Join(b.TempDir(), "log")
	must(os.WriteFile(path, text, 0o644))
	buf := make([]byte, DefaultBlockSize)
	b.SetBytes(int64(len(text)))
	start := cpuSeconds()
	for range b.N {
		f, err := os.Open(path)
		must(err)
		for at := 0; ; at = (at + readPiece) % len(buf) {
			if _, err := f.Read(buf[at : at+readPiece]); err == io.EOF {
				break
			}
		}
		must(f.Close())
	}
	b.ReportMetric(float64(len(text))*float64(b.N)/1e6/(cpuSeconds()-start), "MB/cpu-s")
}
