package spark_test

import (
	"bytes"
	"fmt"
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

// sample makes the lines of n small tasks as Spark 3.5 writes them, for
// machines without a corpus.
func sample(n int) []byte {
	var s bytes.Buffer
	for i := range n {
		info := fmt.Sprintf(`"Task Info":{"Task ID":%d,"Index":%d,"Attempt":0,"Partition ID":%[2]d,"Launch Time":%d,`+
			`"Executor ID":"%d","Host":"host-%[4]d.example.org","Locality":"NODE_LOCAL","Speculative":false,`+
			`"Getting Result Time":0,"Finish Time":%d,"Failed":false,"Killed":false,"Accumulables":[`,
			1000+i, i, 1735732800000+int64(i), i%8, (1735732801000+int64(i))*int64(i%2))
		if i%2 == 0 {
			fmt.Fprintf(&s, `{"Event":"SparkListenerTaskStart","Stage ID":3,"Stage Attempt ID":0,%s]}}`+"\n", info)
			continue
		}
		fmt.Fprintf(&s, `{"Event":"SparkListenerTaskEnd","Stage ID":3,"Stage Attempt ID":0,"Task Type":"ShuffleMapTask",`+
			`"Task End Reason":{"Reason":"Success"},%s`, info)
		for k := range 12 {
			if k > 0 {
				s.WriteByte(',')
			}
			fmt.Fprintf(&s, `{"ID":%d,"Name":"internal.metrics.someMetric%d","Update":%d,"Value":%d,"Internal":true,"Count Failed Values":true}`,
				40+k, k, i*k, i*k*7)
		}
		s.WriteString(`]},"Task Executor Metrics":{"JVMHeapMemory":0,"JVMOffHeapMemory":0,"OnHeapExecutionMemory":0,"MinorGCCount":0},`)
		fmt.Fprintf(&s, `"Task Metrics":{"Executor Deserialize Time":%d,"Executor Deserialize CPU Time":%d,"Executor Run Time":%d,`+
			`"Executor CPU Time":%d,"Peak Execution Memory":0,"Result Size":2345,"JVM GC Time":0,"Result Serialization Time":0,`+
			`"Memory Bytes Spilled":0,"Disk Bytes Spilled":0,"Shuffle Read Metrics":{"Remote Blocks Fetched":%d,"Local Blocks Fetched":1,`+
			`"Fetch Wait Time":0,"Remote Bytes Read":%d,"Remote Bytes Read To Disk":0,"Local Bytes Read":100,"Total Records Read":10,`+
			`"Remote Requests Duration":0,"Push Based Shuffle":{"Corrupt Merged Block Chunks":0,"Merged Fetch Fallback Count":0,`+
			`"Merged Remote Blocks Fetched":0,"Merged Local Blocks Fetched":0,"Merged Remote Chunks Fetched":0,`+
			`"Merged Local Chunks Fetched":0,"Merged Remote Bytes Read":0,"Merged Local Bytes Read":0,"Merged Remote Requests Duration":0}},`+
			`"Shuffle Write Metrics":{"Shuffle Bytes Written":%d,"Shuffle Write Time":5000,"Shuffle Records Written":10},`+
			`"Input Metrics":{"Bytes Read":0,"Records Read":0},"Output Metrics":{"Bytes Written":0,"Records Written":0},`+
			`"Updated Blocks":[]}}`+"\n", i%90, i*1001, i%4000, i*100003, i%40, i*77, i*99)
	}
	return s.Bytes()
}

// BenchmarkSample reads made-up lines.
func BenchmarkSample(b *testing.B) {
	text := sample(20_000)
	b.Run("fast", func(b *testing.B) { benchmarkDecode(b, text, spark.Options{}) })
	b.Run("full", func(b *testing.B) { benchmarkDecode(b, text, spark.Options{FullParse: true}) })
}

// TestSample sees to it that the benchmark measures what it says.
func TestSample(t *testing.T) {
	var b ingest.Batch
	d := spark.NewDecoder(spark.Options{})
	text := sample(100)
	d.Decode(&b, text, "sample", 0, 1, 1, false)
	if len(b.Starts) != 50 || len(b.Ends) != 50 || len(b.Problems) != 0 {
		t.Fatalf("%d starts, %d ends, %v", len(b.Starts), len(b.Ends), b.Problems)
	}
	allocs := testing.AllocsPerRun(10, func() {
		b.Reset()
		d.Decode(&b, text, "sample", 0, 1, 1, false)
	})
	if allocs > 4 { // the maps of counts
		t.Errorf("%.0f allocations for 100 known tasks", allocs)
	}
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
