package replay_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tracereplay/ingest"
	"tracereplay/internal/duck"
	"tracereplay/lineage"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

// openTrace makes an empty trace in memory.
func openTrace(tb testing.TB) *duck.DB {
	tb.Helper()
	ctx := context.Background()
	db, err := duck.Open(ctx, duck.Memory, duck.Options{Threads: 1})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	for _, s := range append(ingest.Tables(), lineage.Tables()...) {
		if err := db.CreateTable(ctx, s); err != nil {
			tb.Fatal(err)
		}
	}
	return db
}

// openDrawn makes the world of a drawing.
func openDrawn(tb testing.TB, text string) *replay.World {
	tb.Helper()
	run, err := draw(text)
	if err != nil {
		tb.Fatal(err)
	}
	db := openTrace(tb)
	if err := run.write(db); err != nil {
		tb.Fatal(err)
	}
	w, err := replay.OpenWorld(context.Background(), db, drawnApp)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// TestBlast runs the hand-computed cases: command run draws a run, command
// blast asks what losing units costs. Its arguments are those of BlastOptions.
func TestBlast(t *testing.T) {
	datadriven.Walk(t, "testdata/blast", func(t *testing.T, path string) {
		var w *replay.World
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "run":
				w = openDrawn(t, d.Input)
				return ""
			case "blast":
				return blast(t, w, d)
			default:
				d.Fatalf(t, "no command %s", d.Cmd)
				return ""
			}
		})
	})
}

func blast(t *testing.T, w *replay.World, d *datadriven.TestData) string {
	var out strings.Builder
	for _, opt := range blastOptions(t, d) {
		rows, err := replay.Blast(context.Background(), w, opt)
		if err != nil {
			return "error: " + err.Error() + "\n"
		}
		for i := range rows {
			out.WriteString(describe(&rows[i]))
		}
	}
	if out.Len() == 0 {
		return "no unit is alive\n"
	}
	return out.String()
}

// blastOptions reads kind=machine unit=m1 at=(10,20) grid=3 breakpoints.
func blastOptions(t *testing.T, d *datadriven.TestData) []replay.BlastOptions {
	var opt replay.BlastOptions
	d.MaybeScanArgs(t, "kind", &opt.UnitKind)
	d.MaybeScanArgs(t, "unit", &opt.Unit)
	d.MaybeScanArgs(t, "grid", &opt.Grid)
	opt.Breakpoints = d.HasArg("breakpoints")
	if !d.HasArg("at") {
		return []replay.BlastOptions{opt}
	}
	var all []replay.BlastOptions
	for _, arg := range d.CmdArgs {
		if arg.Key != "at" {
			continue
		}
		for i := range arg.Vals {
			var at int64
			arg.Scan(t, i, &at)
			o := opt
			o.At = &at
			all = append(all, o)
		}
	}
	return all
}

// describe is a row as text, without what is 0.
func describe(b *result.Blast) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s %s at %d until %d:", b.UnitKind, b.Unit, b.InstantMs, b.UntilMs)
	part := func(name string, pieces, bytes, ms, lowPieces, lowMs int64) {
		if pieces == 0 && lowPieces == 0 {
			return
		}
		fmt.Fprintf(&s, " %s %d = %d ms", name, pieces, ms)
		if bytes > 0 {
			fmt.Fprintf(&s, ", %d bytes", bytes)
		}
		fmt.Fprintf(&s, " (low %d = %d ms);", lowPieces, lowMs)
	}
	part("in flight", b.InFlightTasks, 0, b.InFlightMs, b.InFlightTasks, b.InFlightMs)
	part("owed", b.OwedOutputs, b.OwedBytes, b.OwedMs, b.OwedLowOutputs, b.OwedLowMs)
	part("climb", b.ClimbOutputs, b.ClimbBytes, b.ClimbMs, b.ClimbLowOutputs, b.ClimbLowMs)
	part("cached", b.CachedBlocks, b.CachedBytes, b.CachedMs, b.CachedLowBlocks, b.CachedLowMs)
	fmt.Fprintf(&s, " recompute %d to %d", b.RecomputeLowMs, b.RecomputeMs)
	if b.SupremumMs != b.RecomputeMs {
		fmt.Fprintf(&s, " (grows to %d)", b.SupremumMs)
	}
	s.WriteString(details(b))
	s.WriteString("\n")
	return s.String()
}

func details(b *result.Blast) string {
	var s strings.Builder
	if b.InterruptedHigh > 0 {
		fmt.Fprintf(&s, "; interrupted up to %d = %d ms", b.InterruptedHigh, b.InterruptedHighMs)
	}
	if b.EngineRedoMs != b.RecomputeMs {
		fmt.Fprintf(&s, "; the engine redoes %d = %d ms", b.EngineRedoOutputs, b.EngineRedoMs)
	}
	if b.OldestLostAgeMs.OK {
		fmt.Fprintf(&s, "; oldest %d ms, rounds %d, %s", b.OldestLostAgeMs.V, b.RoundsLive, b.Known)
	}
	if n := b.LostOutputs - b.OwedOutputs - b.ClimbOutputs - b.CachedBlocks; n > 0 {
		fmt.Fprintf(&s, "; lost in all %d", b.LostOutputs)
	}
	if b.IsCoordinatorsHost {
		s.WriteString("; the coordinator's machine")
	}
	return s.String()
}
