package sparkgen_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/google/go-cmp/cmp"

	"tracereplay/ingest"
	"tracereplay/ingest/spark"
	"tracereplay/internal/sparkgen"
	"tracereplay/internal/table"
	"tracereplay/lineage"
)

// counter counts the rows of each table and checks them against their specs.
type counter map[string]int64

func (c counter) Write(s *table.Spec, rec arrow.Record) error {
	c[s.Name] += rec.NumRows()
	return s.Check(rec)
}

// record reads a log through the real reader.
func record(t testing.TB, log []byte, sink table.Sink) {
	t.Helper()
	recordWith(t, log, sink, nil)
}

func recordWith(t testing.TB, log []byte, sink table.Sink, listener ingest.Listener) {
	t.Helper()
	var batch ingest.Batch
	spark.NewDecoder(spark.Options{}).Decode(&batch, log, "gen", 0, 1, 1, false)
	rec := ingest.NewRecorder(ingest.RecorderOptions{Log: 1, LogName: "gen", Sink: sink, Listener: listener})
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
}

// texts gathers chosen columns of rows as text. Numbers of datasets and outputs
// are replaced by what they stand for.
type texts struct {
	rows            map[string][]string
	dataset, output map[string]string
}

func newTexts() *texts {
	return &texts{rows: map[string][]string{}, dataset: map[string]string{}, output: map[string]string{}}
}

// columnsOf are the columns that a test compares.
func columnsOf(table string) []string {
	return strings.Fields(map[string]string{
		"app":       "app engine_version cluster_manager start_ms end_ms first_seq last_seq coordinator_machine",
		"worker":    "worker host machine is_coordinator cores slots added_ms removed_ms added_seq removed_seq removed_reason",
		"machine":   "machine is_coordinator workers first_ms last_ms",
		"job":       "job submit_ms end_ms submit_seq end_seq outcome stages",
		"job_stage": "job stage tasks rdd",
		"stage":     "stage stage_attempt job kind tasks rdd partitions submit_ms complete_ms submit_seq complete_seq",
		"dataset":   "dataset kind partitions first_stage is_rollback",
		"input":     "dataset input_dataset",
		"attempt":   "task stage stage_attempt task_index partition dataset worker start_ms end_ms is_rerun",
		"output":    "dataset partition task worker made_ms made_seq cost_ms bytes is_rerun",
		"holder":    "holder dies_with worker machine",
		"residence": "output holder from_ms to_ms end_reason end_seq",
	}[table])
}

func (x *texts) Write(s *table.Spec, rec arrow.Record) error {
	for i := range int(rec.NumRows()) {
		cell := func(name string) string {
			c := rec.Column(rec.Schema().FieldIndices(name)[0])
			if c.IsNull(i) {
				return "null"
			}
			return c.ValueStr(i)
		}
		switch s.Name {
		case "dataset":
			x.dataset[cell("dataset")] = cell("kind") + " " + cell("rdd") + " " + cell("reading_rdd")
		case "output":
			x.output[cell("output")] = x.dataset[cell("dataset")] + "[" + cell("partition") + "] by " + cell("task")
		}
		var b strings.Builder
		for _, name := range columnsOf(s.Name) {
			v := cell(name)
			switch name {
			case "dataset", "input_dataset":
				v = x.dataset[v]
			case "output":
				v = x.output[v]
			}
			b.WriteString(name + "=" + v + " ")
		}
		x.rows[s.Name] = append(x.rows[s.Name], b.String())
	}
	return nil
}

// TestBigTablesAgreeWithLog reads the run's log with the real reader and
// compares what comes out with the rows that were written directly.
func TestBigTablesAgreeWithLog(t *testing.T) {
	for _, opt := range []sparkgen.BigOptions{
		{Seed: 1, Tasks: 3000, Machines: 8},
		{Seed: 2, Tasks: 3000, Machines: 5, Removals: 3},
		{Seed: 3, Tasks: 2000, Machines: 5, Removals: 2, ESS: true, NoCache: true},
	} {
		run := sparkgen.Big(opt)
		checked := counter{}
		if err := run.WriteTables(checked); err != nil {
			t.Fatal(err)
		}
		rows, logged := newTexts(), newTexts()
		if err := run.WriteTables(rows); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		if err := run.WriteLog(&log); err != nil {
			t.Fatal(err)
		}
		recordWith(t, log.Bytes(), logged, lineage.NewBuilder(logged))
		for name := range checked {
			if len(columnsOf(name)) == 0 {
				continue
			}
			want, got := logged.rows[name], rows.rows[name]
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%+v: table %s: from the log -, written +\n%.2000s", opt, name, diff)
			}
		}
		if checked["need"] == 0 || int(checked["attempt"]) != run.Tasks() {
			t.Errorf("%+v: %v", opt, checked)
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
