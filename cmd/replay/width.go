package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tracereplay/analysis/streaming"
	"tracereplay/cmd/replay/internal/args"
	"tracereplay/cmd/replay/internal/render"
	"tracereplay/internal/table"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

type widthOptions struct {
	inputFlags
	runFlags
	outputFlags
	from, to  int64 // workers
	bandwidth rateFlag
	startup   args.Duration
}

func widthCommand() *Command {
	var o widthOptions
	return &Command{
		Name:  "width",
		Usage: "TRACE --to Q",
		Short: "what a change of the number of workers would move, and the pause",
		Long: `For every streaming query: which share of its keys changes owner when the number of
workers changes, how many bytes of state that moves, how long nothing is processed
(rest of the running batch + transfer + start-up), what piles up meanwhile and how long
it takes to catch up. One row for each rule of ownership: engine (a fixed number of
state partitions that are re-assigned), modulo (hash modulo workers), key-groups
(contiguous groups) and consistent (consistent hashing). A finite job has no rows.

Examples:
  $ replay width trace.duckdb --to 9
  replay width trace.duckdb --from 8 --to 4 --bandwidth 40MiB --format csv
  replay width trace.duckdb --to 16 --startup 20s`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *widthOptions) add(f *pflag.FlagSet) {
	o.bandwidth = streaming.DefaultBandwidth
	f.Int64Var(&o.to, "to", 0, "workers after the change, `Q`")
	f.Int64Var(&o.from, "from", 0, "workers before it, `P`; default: those on which state stood at the end of the run")
	f.Var(&o.bandwidth, "bandwidth", "`BYTES` a second that move, all links together: 40MiB, 1GB, or bits: 1Gbit")
	f.Var(&o.startup, "startup", "`DURATION` of a start; default: what the first batch took beyond the others")
	o.runFlags.add(f)
	o.outputFlags.add(f)
	o.inputFlags.add(f)
}

func (o *widthOptions) run(ctx context.Context, env *Env, names []string) error {
	switch {
	case len(names) != 1:
		return usagef("give one TRACE")
	case o.to <= 0:
		return usagef("--to Q is missing: the number of workers after the change, 1 or more")
	case o.from < 0:
		return usagef("--from %d: give 1 worker or more", o.from)
	}
	opt := streaming.WidthOptions{From: o.from, To: o.to, Bandwidth: int64(o.bandwidth)}
	if o.startup > 0 {
		opt.StartupMs = table.Some(time.Duration(o.startup).Milliseconds())
	}
	return withTrace(ctx, env, &o.inputFlags, names[0], replay.OpenOptions{App: o.app}, func(t *replay.Trace) error {
		app, err := t.App(o.app)
		if err != nil {
			return err
		}
		w, err := replay.OpenWorld(ctx, t.DB(), app.App)
		if err != nil {
			return err
		}
		queries, err := replay.StreamQueries(ctx, w)
		if err != nil {
			return err
		}
		if len(queries) == 0 {
			env.note("%s", streaming.FiniteText)
		}
		return o.print(env, streaming.Widths(queries, opt))
	})
}

func (o *widthOptions) print(env *Env, widths []result.Width) error {
	if o.format.value != "text" {
		return o.write(env, rows{Columns: resultColumns(&result.Widths.Spec, nil), Each: eachResult(&result.Widths.Spec, widths)})
	}
	if len(widths) == 0 {
		return nil
	}
	return o.outputFlags.to(env, func(w io.Writer, terminal bool) error {
		for _, sentence := range streaming.WidthText(widths) {
			if _, err := fmt.Fprintln(w, wrap(sentence, 100)+"\n"); err != nil {
				return err
			}
		}
		out := render.New(w, render.Format("text"), widthColumns(), render.Options{Terminal: terminal})
		for _, r := range widths {
			name := r.Query
			if r.Name.OK {
				name = r.Name.V
			}
			row := []any{
				name, r.Rule, r.FromWorkers, r.ToWorkers, r.MovedShare, r.MovedBytes,
				r.QuiesceMs, r.TransferMs, r.StartupMs, r.PauseMs, r.BacklogRows, r.CatchUpMs,
			}
			if err := out.Write(row); err != nil {
				return err
			}
		}
		return out.Close()
	})
}

// widthColumns are the columns of text.
func widthColumns() []render.Column {
	return []render.Column{
		{Name: "query"},
		{Name: "rule"},
		{Name: "from", Kind: render.Count},
		{Name: "to", Kind: render.Count},
		{Name: "moved", Kind: render.Share},
		{Name: "bytes", Kind: render.Bytes},
		{Name: "quiesce", Kind: render.Duration},
		{Name: "transfer", Kind: render.Duration},
		{Name: "start-up", Kind: render.Duration},
		{Name: "pause", Kind: render.Duration},
		{Name: "backlog rows", Kind: render.Count},
		{Name: "catch up", Kind: render.Duration},
	}
}

// rateFlag is a number of bytes a second.
type rateFlag int64

// rateUnits are the units that a rate may be given in, in bytes.
func rateUnits() []struct {
	name  string
	bytes float64
} {
	return []struct {
		name  string
		bytes float64
	}{
		{"KiB", 1 << 10},
		{"MiB", 1 << 20},
		{"GiB", 1 << 30},
		{"kbit", 125},
		{"Mbit", 125e3},
		{"Gbit", 125e6},
		{"kB", 1e3},
		{"KB", 1e3},
		{"MB", 1e6},
		{"GB", 1e9},
		{"B", 1},
	}
}

func (r *rateFlag) Set(s string) error {
	text, per := strings.TrimSuffix(strings.TrimSpace(s), "/s"), 1.0
	for _, u := range rateUnits() {
		if t, ok := strings.CutSuffix(text, u.name); ok {
			text, per = strings.TrimSpace(t), u.bytes
			break
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v*per >= 1) || v*per >= math.MaxInt64 {
		return fmt.Errorf("give bytes a second, as 40MiB, 1GB or 1Gbit")
	}
	*r = rateFlag(v * per)
	return nil
}

func (r *rateFlag) String() string { return strconv.FormatInt(int64(*r), 10) + "B" }
func (r *rateFlag) Type() string   { return "bytes" }
