package sim

import (
	"fmt"
	"runtime"
	"testing"

	"tracereplay/internal/table"
)

// bigLog is the log of rounds in a row on workers of one slot each, all pieces of
// a second.
func bigLog(tasks, rounds, workers int64) *Log {
	some := table.Some[int64]
	l := &Log{App: "big", Engine: "spark", Version: "3.5.1", Settings: map[string]string{}}
	for w := range workers {
		l.Workers = append(l.Workers, LogWorker{Worker: fmt.Sprint(w), Machine: table.Some(fmt.Sprint("m", w/4)), Slots: some(1), AddedMs: some(0)})
	}
	each := tasks / rounds
	wave := (each + workers - 1) / workers * 1010
	for r := range rounds {
		stage := LogStage{Stage: r, Job: some(0), Kind: table.Some("map"), Tasks: each, Partitions: some(each), SubmitMs: some(r * wave), CompleteMs: some((r + 1) * wave)}
		dataset := table.I64{}
		if r < rounds-1 {
			dataset = some(r)
			l.Datasets = append(l.Datasets, LogDataset{Dataset: r, Kind: "shuffle", RDD: r, Partitions: some(each)})
		}
		if r > 0 {
			l.Needs = append(l.Needs, LogNeed{Dataset: r - 1, Stage: r})
			if dataset.OK {
				l.Inputs = append(l.Inputs, LogInput{Dataset: r, Input: r - 1})
			}
		}
		l.Stages, l.Listed = append(l.Stages, stage), append(l.Listed, LogListed{Stage: r, Tasks: each})
		for i := range each {
			start := r*wave + i/workers*1005
			l.Tasks = append(l.Tasks, LogTask{
				Task: r*each + i, Stage: r, Index: i, Partition: some(i), Dataset: dataset, Worker: l.Workers[i%workers].Worker, StartMs: start, EndMs: start + 1000,
				Ended: true, Status: "success", DeserializeMs: some(3), CPUNs: some(900_000_000), FetchWaitMs: some(10), WrittenBytes: some(1 << 20),
			})
		}
	}
	l.Jobs = []LogJob{{SubmitMs: some(0), EndMs: some(rounds * wave), SubmitSeq: some(1), EndSeq: some(2)}}
	return l
}

// BenchmarkMillion is the other promise: a run of a million tasks fits into 2 GB.
func BenchmarkMillion(b *testing.B) {
	for b.Loop() {
		log := bigLog(1_000_000, 10, 2000)
		run, err := Build(log)
		if err != nil {
			b.Fatal(err)
		}
		f := Fidelity(run)
		if f.Outcome != Done || f.Error > 0.01 || f.Error < -0.01 {
			b.Fatalf("%+v", f)
		}
		runtime.KeepAlive(log)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/(1<<30), "GiB")
}
