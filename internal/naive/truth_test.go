package naive

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tracereplay/ingest"
	"tracereplay/ingest/spark"
	"tracereplay/internal/sparkgen"
)

const seeds = 800

// readLog reads a log through the real reader into rows.
func readLog(t testing.TB, log []byte) *Rows {
	t.Helper()
	rows := &Rows{}
	var batch ingest.Batch
	spark.NewDecoder(spark.Options{}).Decode(&batch, log, "gen", 0, 1, 1, false)
	rec := ingest.NewRecorder(ingest.RecorderOptions{Log: 1, LogName: "gen", Sink: rows})
	if err := rec.Batch(&batch); err != nil {
		t.Fatal(err)
	}
	if _, err := rec.Finish(nil, nil); err != nil {
		t.Fatal(err)
	}
	return rows
}

func load(t testing.TB, log []byte) *World {
	t.Helper()
	w, err := Load(readLog(t, log))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The text forms in which truth and derivation are compared.

func outputText(dataset string, part int64, task int64, worker string, made, cost, bytes int64, stays string) string {
	return fmt.Sprintf("%s[%d] task %d on %s made %d cost %d bytes %d:%s", dataset, part, task, worker, made, cost, bytes, stays)
}

// blockText leaves the making task out: of two tasks of one partition that run
// on a worker at once, the log does not tell which one computed a block.
func blockText(dataset string, part int64, worker string, made, bytes int64, stays string) string {
	return fmt.Sprintf("%s[%d] on %s made %d bytes %d:%s", dataset, part, worker, made, bytes, stays)
}

func trueOutputs(truth *sparkgen.Truth, caches bool) []string {
	names := map[int]string{}
	for _, s := range truth.Shuffles {
		names[s.Shuffle] = (&dataset{rdd: int64(s.MapRDD), slot: slot{int64(s.MapRDD), int64(s.ReadingRDD), s.Ordinal}}).String()
	}
	var out []string
	for _, o := range truth.Outputs {
		name := names[o.Shuffle]
		if o.Shuffle < 0 {
			if !caches {
				continue
			}
			name = (&dataset{cache: true, rdd: int64(o.RDD)}).String()
		}
		var stays strings.Builder
		for _, s := range o.Stays {
			to := s.To
			if s.Reason == "" {
				to = max(truth.End, s.From)
			}
			fmt.Fprintf(&stays, " %s %d-%d %s", s.Holder, s.From, to, s.Reason)
		}
		if o.Shuffle < 0 {
			out = append(out, blockText(name, int64(o.Partition), o.Worker, o.MadeMs, o.Bytes, stays.String()))
			continue
		}
		out = append(out, outputText(name, int64(o.Partition), int64(o.Task), o.Worker, o.MadeMs, o.CostMs, o.Bytes, stays.String()))
	}
	slices.Sort(out)
	return out
}

func derivedOutputs(w *World, caches bool) []string {
	var out []string
	for _, d := range w.datasets {
		if d.cache && !caches {
			continue
		}
		for _, outs := range d.pieces {
			for _, o := range outs {
				var stays strings.Builder
				for _, s := range o.stays {
					fmt.Fprintf(&stays, " %s %d-%d %s", s.holder, s.from, s.to, s.reason)
				}
				if d.cache {
					out = append(out, blockText(d.String(), o.partition, o.worker, o.made, o.bytes, stays.String()))
					continue
				}
				out = append(out, outputText(d.String(), o.partition, o.task, o.worker, o.made, o.cost, o.bytes, stays.String()))
			}
		}
	}
	slices.Sort(out)
	return out
}

func attemptText(stage, attempt int64, writes string, reads []string, repeats bool) string {
	slices.Sort(reads)
	return fmt.Sprintf("%4d.%d writes %s reads %s repeats only: %t", stage, attempt, writes, strings.Join(slices.Compact(reads), ", "), repeats)
}

func trueAttempts(truth *sparkgen.Truth, ended map[int]bool) []string {
	names := map[int]string{-1: "nothing"}
	for _, s := range truth.Shuffles {
		names[s.Shuffle] = (&dataset{rdd: int64(s.MapRDD), slot: slot{int64(s.MapRDD), int64(s.ReadingRDD), s.Ordinal}}).String()
	}
	var out []string
	for _, a := range truth.Attempts {
		if truth.Cut && !ended[a.Stage] {
			continue // whether it is a map stage cannot always be told
		}
		var reads []string
		for _, s := range a.Reads {
			reads = append(reads, names[s])
		}
		out = append(out, attemptText(int64(a.Stage), int64(a.Attempt), names[a.Writes], reads, a.RepeatsOnly))
	}
	slices.Sort(out)
	return out
}

func derivedAttempts(w *World, cut bool, ended map[int]bool) []string {
	var out []string
	for _, r := range w.rounds {
		if r.tasks == 0 || cut && !ended[int(r.stage)] {
			continue
		}
		var reads []string
		for _, x := range r.reads {
			if !x.of.cache {
				reads = append(reads, x.of.String())
			}
		}
		writes := "nothing"
		if r.writes != nil {
			writes = r.writes.String()
		}
		out = append(out, attemptText(r.stage, r.attempt, writes, reads, !r.firstRun))
	}
	slices.Sort(out)
	return out
}

// compareLines reports what is only in one of two sorted lists.
func compareLines(t *testing.T, want, got []string) {
	t.Helper()
	n := 0
	for _, x := range want {
		if _, ok := slices.BinarySearch(got, x); !ok {
			t.Errorf("missing %s", x)
			n++
		}
	}
	for _, x := range got {
		if _, ok := slices.BinarySearch(want, x); !ok {
			t.Errorf("wrong   %s", x)
			n++
		}
	}
	if n == 0 && slices.Compare(want, got) != 0 {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
}

func TestAgreesWithTruth(t *testing.T) {
	outputs, attempts, blocks, unsure := 0, 0, 0, 0
	for seed := range int64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			log, truth := sparkgen.Generate(seed, sparkgen.Options{})
			w := load(t, log)
			hasCache := slices.ContainsFunc(truth.Outputs, func(o sparkgen.TrueOutput) bool { return o.Shuffle < 0 })
			compareLines(t, trueOutputs(&truth, truth.BlockUpdates), derivedOutputs(w, truth.BlockUpdates))
			if truth.BlockUpdates || !hasCache {
				ended := map[int]bool{}
				for _, a := range w.attempts {
					if a.endSeq > 0 {
						ended[int(a.round.stage)] = true
					}
				}
				compareLines(t, trueAttempts(&truth, ended), derivedAttempts(w, truth.Cut, ended))
				attempts += len(truth.Attempts)
			}
			outputs += len(truth.Outputs)
			for _, o := range truth.Outputs {
				if o.Shuffle < 0 && truth.BlockUpdates {
					blocks++
					if !madeBy(w, &o) {
						unsure++
					}
				}
			}
		})
	}
	if unsure*100 > blocks {
		t.Errorf("the making task of %d in %d cached blocks was not found", unsure, blocks)
	}
	t.Logf("%d outputs, %d of them logged cached blocks, %d stage attempts", outputs, blocks, attempts)
}

// madeBy tells whether the block's making task was found.
func madeBy(w *World, o *sparkgen.TrueOutput) bool {
	for _, d := range w.datasets {
		if !d.cache || d.rdd != int64(o.RDD) {
			continue
		}
		for _, x := range d.pieces[int64(o.Partition)] {
			if x.made == o.MadeMs && x.worker == o.Worker && x.task == int64(o.Task) && x.cost == o.CostMs {
				return true
			}
		}
	}
	return false
}
