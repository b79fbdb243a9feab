package plots_test

import (
	"bytes"
	"strings"
	"testing"

	"tracereplay/analysis/streaming"
	"tracereplay/internal/table"
	"tracereplay/plots"
	"tracereplay/replay/result"
)

// counting is a query on 4 workers, whose state grows to 600 MB in three batches.
func counting() *streaming.Inputs {
	in := &streaming.Inputs{Queries: []result.StreamQuery{{
		Query: "q", Name: table.Some("count <1>"), IsStateful: true, PlacedPartitions: 16, StateWorkers: 4, LastBatch: 2, EndMs: 9000,
		StateBytes: table.Some[int64](600_000_000), QuiesceMs: table.Some[int64](1500), StartupMs: table.Some[int64](2000),
	}}}
	for i := range int64(3) {
		in.Batches = append(in.Batches, result.StreamBatch{
			Query: "q", Batch: i, StartMs: 3000 * i, CommitMs: table.Some(3000*i + 2900), StateBytes: table.Some((i + 1) * 200_000_000),
		})
	}
	return in
}

// From 4 to 8 workers modulo moves half of 600 MB: 2.4 s at 125 MB/s, and with 3.5 s around it a pause of 5.9 s.
func TestWidthFigure(t *testing.T) {
	c := streaming.NewWidthCurves(counting())
	found := false
	for _, l := range c.ByWidth {
		for _, at := range l.Points {
			if at.Workers == c.FromWorkers {
				t.Error("there is a pause without a change")
			}
			if l.Rule == "modulo" && l.IsLast && at.Workers == 8 {
				found = true
				if at.PauseMs != 5900 || at.MovedBytes != 300_000_000 {
					t.Errorf("%+v", at)
				}
			}
		}
	}
	if !found {
		t.Error("no line of modulo at the end")
	}
	f := plots.Width(c)
	first, second := drawn(t, f, ".svg"), drawn(t, plots.Width(streaming.NewWidthCurves(counting())), ".svg")
	if !bytes.Equal(first, second) {
		t.Error("it differs from one time to the next")
	}
	checkSVG(t, f.Name, first)
	for _, want := range []string{"count &lt;1&gt;", "with the state at the end (572 MiB)", "from 4 workers to 5", "modulo: to 8 workers", "a pause of 5.9 s"} {
		if !strings.Contains(string(first), want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	golden(t, "testdata/width.svg", inline(t, f))
}

func inline(t *testing.T, f plots.Figure) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.InlineSVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A finite job and a query without state say why there is nothing to draw.
func TestWidthEmpty(t *testing.T) {
	stateless := counting()
	stateless.Queries[0].IsStateful = false
	for _, c := range []struct {
		in   *streaming.Inputs
		want string
	}{{nil, "finite job"}, {stateless, "start-up alone (2 s)"}} {
		f := plots.Width(streaming.NewWidthCurves(c.in))
		if !strings.Contains(f.Empty, c.want) || !strings.Contains(string(drawn(t, f, ".svg")), c.want) {
			t.Errorf("%q lacks %q", f.Empty, c.want)
		}
	}
}
