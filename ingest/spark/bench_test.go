package spark_test

import (
	"bytes"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"tracereplay/ingest"
	"tracereplay/ingest/source"
	"tracereplay/ingest/spark"
)

// loadLog returns the text of a real log.
func loadLog(tb testing.TB, name string) []byte {
	var text bytes.Buffer
	readBlocks(tb, filepath.Join(corpusDir(tb), name), source.Options{}, func(_ *source.Log, b *source.Block) {
		text.Write(b.Data)
	})
	return text.Bytes()
}

// onlyEnds keeps the lines of task ends.
func onlyEnds(text []byte) []byte {
	var ends []byte
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(`{"Event":"SparkListenerTaskEnd"`)) {
			ends = append(ends, line...)
		}
	}
	return ends
}

func benchmarkDecode(b *testing.B, text []byte, opt spark.Options) {
	d := spark.NewDecoder(opt)
	var batch ingest.Batch
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	d.Decode(&batch, text, "log", 0, 1, 1, false) // grows the batch
	before := cpuTime(b)
	for b.Loop() {
		batch.Reset()
		d.Decode(&batch, text, "log", 0, 1, 1, false)
	}
	// Other work on the machine does not show in the time of the processor.
	mb := float64(len(text)) * float64(b.N) / 1e6
	b.ReportMetric(mb/(cpuTime(b)-before).Seconds(), "MB/cpu-s")
}

// cpuTime is what the process has had of the processor.
func cpuTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkDecode reads real logs of big and of small task ends, whole and
// their task ends alone, the fast and the strict way.
func BenchmarkDecode(b *testing.B) {
	for _, log := range []struct{ name, file string }{
		{"big", "spark/14-databricks-photon-142MB.zstd"},
		{"small", "spark/16-nds-q86-8hosts.zstd"},
	} {
		text := loadLog(b, log.file)
		ends := onlyEnds(text)
		for _, way := range []struct {
			name string
			opt  spark.Options
		}{{"fast", spark.Options{}}, {"full", spark.Options{FullParse: true}}} {
			b.Run(log.name+"/all/"+way.name, func(b *testing.B) { benchmarkDecode(b, text, way.opt) })
			b.Run(log.name+"/ends/"+way.name, func(b *testing.B) { benchmarkDecode(b, ends, way.opt) })
		}
	}
}
