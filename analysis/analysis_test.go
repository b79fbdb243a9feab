package analysis_test

import (
	"reflect"
	"strings"
	"testing"

	"tracereplay/analysis"
	"tracereplay/internal/table"
)

func cell(row int, unit string, from int64, owed float64) analysis.HeatCell {
	return analysis.HeatCell{Row: row, Unit: unit, FromMs: noon + from*second, ToMs: noon + (from+10)*second, AtMs: noon + from*second, Parts: analysis.Parts{Owed: owed}}
}

// Two machines in two bins: rows in the order of names, and the worst cell.
func TestHeatMap(t *testing.T) {
	in := run()
	in.Rows = [][]string{{"m10"}, {"m2"}}
	in.Cells = []analysis.HeatCell{cell(0, "m10", 0, 1), cell(0, "m10", 10, 7), cell(1, "m2", 10, 3), cell(1, "m2", 0, 0)}
	h := analysis.New(in).Heat
	if len(h.Rows) != 2 || h.Rows[0].Label != "m2" || h.Rows[1].Label != "m10" {
		t.Fatalf("rows: %+v", h.Rows)
	}
	if h.Rows[0].Cells[0].FromMs != noon {
		t.Error("cells are not in order of time")
	}
	if h.MaxMs != 7 || h.Worst.Row != 1 || h.Worst.Cell.AtMs != noon+10*second {
		t.Errorf("worst: %v %+v", h.MaxMs, h.Worst)
	}
}

// The domain that all hosts share is left out of labels; addresses are whole.
func TestHostLabels(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"a-1.x.org", "a-2.x.org"}, []string{"a-1", "a-2"}},
		{[]string{"a-1.x.org", "a-2.y.org"}, []string{"a-1.x.org", "a-2.y.org"}},
		{[]string{"10.0.0.1", "11.0.0.1"}, []string{"10.0.0.1", "11.0.0.1"}},
		{[]string{"a.x.org"}, []string{"a.x.org"}},
	} {
		in := run()
		for i, name := range c.names {
			in.Rows = append(in.Rows, []string{name})
			in.Cells = append(in.Cells, cell(i, name, 0, 1))
		}
		for i, r := range analysis.New(in).Heat.Rows {
			if r.Label != c.want[i] || r.Full != "machine "+c.names[i] {
				t.Errorf("%q is labelled %q (%q)", c.names[i], r.Label, r.Full)
			}
		}
	}
}

// Machines that share a row keep its place, and their names are told.
func TestHeatMapShares(t *testing.T) {
	in := run()
	in.Rows = [][]string{{"m1", "m10", "m11"}, {"m2"}}
	in.Cells = []analysis.HeatCell{cell(0, "m10", 0, 4), cell(1, "m2", 0, 9)}
	h := analysis.New(in).Heat
	if h.Units != 4 || h.Worst.Row != 1 || h.Worst.Cell.Unit != "m2" {
		t.Errorf("%+v", h)
	}
	if got, want := h.Rows[0].Label+": "+h.Rows[0].Full, "m1 +2: m1 to m11, the worst of 3 machines"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The worst of each bin is of one machine: parts of two are never mixed.
func TestBanked(t *testing.T) {
	in := run()
	a, b := cell(0, "a", 0, 4), cell(1, "b", 0, 3)
	b.Parts.Climb = 2
	in.Rows = [][]string{{"a"}, {"b"}}
	in.Cells = []analysis.HeatCell{cell(0, "a", 10, 1), a, b}
	in.Bins = []analysis.Bin{
		{Kind: analysis.Worker, FromMs: noon, ToMs: noon + 10*second, Units: 9},
		{Kind: analysis.Machine, FromMs: noon, ToMs: noon + 10*second, Units: 2, Mean: analysis.Parts{Owed: 3.5, Climb: 1}},
	}
	got := analysis.New(in).Banked
	want := []analysis.Step{
		{FromMs: noon, ToMs: noon + 10*second, Parts: analysis.Parts{Owed: 3, Climb: 2}, Unit: "b"},
		{FromMs: noon + 10*second, ToMs: noon + 20*second, Parts: analysis.Parts{Owed: 1}, Unit: "a"},
	}
	if !reflect.DeepEqual(got.Worst, want) {
		t.Errorf("worst: %+v", got.Worst)
	}
	if len(got.Mean) != 1 || got.Mean[0].Units != 2 || got.Mean[0].Parts.Sum() != 4.5 {
		t.Errorf("mean: %+v", got.Mean)
	}
	if analysis.Largest(got.Worst).Unit != "b" {
		t.Error("b costs most")
	}
}

// Reported 80 %, of which one machine could take 30: the gap is widest there.
func TestProgress(t *testing.T) {
	in := run()
	in.Progress = []analysis.Progress{{AtMs: noon, Reported: 0.5, Safe: 0.4}, {AtMs: noon + second, Reported: 0.8, Safe: 0.5}, {AtMs: noon + 2*second, Reported: 1, Safe: 1}}
	r := analysis.New(in)
	if w := r.Progress.Widest; w.AtMs != noon+second {
		t.Errorf("widest: %+v", w)
	}
	if got := r.Figures.Get("progress_widest_safe_share").Value; got != 0.5 {
		t.Errorf("safe: %v", got)
	}
}

// A third of the removals cost nothing: the quantiles 0 to 33 are 0.
func TestFreeShare(t *testing.T) {
	var q analysis.Quantiles
	for i := range q.At {
		q.At[i] = float64(max(0, i-33))
	}
	if got := q.FreeShare(); got != 0.33 {
		t.Errorf("%v", got)
	}
	if got := (analysis.Quantiles{At: [101]float64{1}}).FreeShare(); got != 0 {
		t.Errorf("%v", got)
	}
}

// Three stages, two of them at the same time: two lanes, and what ran again is
// its part of the tasks.
func TestRounds(t *testing.T) {
	in := run()
	stage := func(id, from, to int64) analysis.Stage {
		return analysis.Stage{Job: table.Some[int64](4), Stage: id, FromMs: noon + from*second, ToMs: noon + to*second, Tasks: 10}
	}
	in.Stages = []analysis.Stage{stage(1, 0, 10), stage(2, 5, 15), stage(3, 10, 20)}
	in.Stages[2].Attempt, in.Stages[2].Reruns, in.Stages[2].Failure = 1, 4, "fetch failed"
	r := analysis.New(in).Rounds
	if len(r.Stages) != 2 || len(r.Stages[0]) != 2 || r.Shown != 3 {
		t.Fatalf("%+v", r.Stages)
	}
	again := r.Stages[0][1]
	if again.Label != "3.1" || again.Rerun != 0.4 || !again.IsFailed {
		t.Errorf("%+v", again)
	}
	want := "stage 3, attempt 1 (job 4)||10 tasks, 0 ms of slot time in 10 s|4 of them ran again what had succeeded before|failed: fetch failed"
	if got := strings.Join(again.Full, "|"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// More stages at once than lanes: the rest is left out, and counted.
func TestTooManyRounds(t *testing.T) {
	in := run()
	for i := range analysis.MaxLanes + 7 {
		in.Stages = append(in.Stages, analysis.Stage{Stage: int64(i), FromMs: noon, ToMs: noon + second})
	}
	if r := analysis.New(in).Rounds; r.Shown != analysis.MaxLanes || r.Total != analysis.MaxLanes+7 {
		t.Errorf("%d of %d", r.Shown, r.Total)
	}
}

// Bytes at two places in two bins.
func TestResidence(t *testing.T) {
	in := run()
	h := func(place string, from int64, needed, done float64) analysis.Holding {
		return analysis.Holding{Place: place, FromMs: noon + from*second, ToMs: noon + (from+10)*second, Needed: needed, Done: done}
	}
	in.Holdings = []analysis.Holding{h("m1", 0, 5, 0), h("m1", 10, 2, 3), h("m2", 10, 4, 4)}
	r := analysis.New(in).Residence
	want := []analysis.Bytes{
		{FromMs: noon, ToMs: noon + 10*second, Needed: 5},
		{FromMs: noon + 10*second, ToMs: noon + 20*second, Needed: 6, Done: 7},
	}
	if !reflect.DeepEqual(r.Total, want) || r.MaxBytes != 8 || r.Most != 6 || r.Places != 2 {
		t.Errorf("%+v", r)
	}
}

// Shares of all risk: 60 and 40 of 100.
func TestExposures(t *testing.T) {
	in := run()
	in.Exposures = []analysis.Exposure{{Dataset: 1, Exposure: 60}, {Dataset: 2, Exposure: 40}}
	rows := analysis.New(in).ExposureTable().Rows
	if len(rows) != 2 || rows[0][8] != 0.6 || rows[1][8] != 0.4 {
		t.Errorf("%v", rows)
	}
}

// A figure without a whole to be a share of is not known, and says so.
func TestUnknownShare(t *testing.T) {
	in := exposed(run())
	in.App.SlotMs = 0
	f := analysis.New(in).Figures.Get("worst_machine_run_share")
	if f.Value != nil || f.Text(in.Clock) != "not known" {
		t.Errorf("%+v", f)
	}
}

// No input at all is a report that says so.
func TestNothing(t *testing.T) {
	r := analysis.New(&analysis.Inputs{Kind: analysis.Machine})
	if got := r.Story.Plain(); got != "Nothing can be said of losses: the log has no task." {
		t.Error(got)
	}
}
