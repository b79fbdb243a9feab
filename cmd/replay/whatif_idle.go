package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"tracereplay/analysis/policies"
	"tracereplay/cmd/replay/internal/render"
	"tracereplay/internal/human"
	"tracereplay/replay"
	"tracereplay/replay/result"
)

// idleCurve answers --idle.
func (o *whatifOptions) idleCurve(ctx context.Context, env *Env, t *replay.Trace) error {
	apps, err := o.apps(t)
	if err != nil {
		return err
	}
	var all []result.Idle
	for _, app := range apps {
		w, err := replay.OpenWorld(ctx, t.DB(), app.App)
		if err != nil {
			return err
		}
		curve, err := replay.Idle(ctx, w)
		if err != nil {
			return err
		}
		all = append(all, policies.AllIdle(curve)...)
		all = append(all, curve...)
	}
	if o.format.value != "text" {
		return o.write(env, rows{Columns: resultColumns(&result.Idles.Spec, nil), Each: eachResult(&result.Idles.Spec, all)})
	}
	return o.to(env, func(w io.Writer, _ bool) error {
		for _, app := range apps {
			if err := o.idleText(w, app.App, all, len(apps) > 1); err != nil {
				return err
			}
		}
		return nil
	})
}

// idleText writes the curve of one application, all workers together.
func (o *whatifOptions) idleText(w io.Writer, app string, all []result.Idle, isOneOfMany bool) error {
	var shown [][]any
	var total []result.Idle
	for i := range all {
		if r := &all[i]; r.App == app && r.Worker == "" {
			total = append(total, *r)
			shown = append(shown, []any{human.Duration(r.AfterMs), r.Releases, r.SavedMs, r.StoodMs, r.StrandedMs, r.StrandedOutputs})
		}
	}
	if isOneOfMany {
		fmt.Fprintf(w, "%s\n", render.Safe(app))
	}
	if len(total) == 0 {
		_, err := fmt.Fprintln(w, "No worker was ever without a task.")
		return err
	}
	fmt.Fprintln(w, "Giving each worker back when it has had no task for so long, whatever stands on it")
	cols := []render.Column{
		{Name: "idle for"},
		{Name: "releases", Kind: render.Count},
		{Name: "slot time saved", Kind: render.Duration},
		{Name: "stood there", Kind: render.Duration},
		{Name: "of it still needed", Kind: render.Duration},
		{Name: "outputs", Kind: render.Count},
	}
	if err := render.All(w, render.Text, cols, shown, render.Options{Zone: time.UTC}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", wrap(policies.IdleSentence(total), 100))
	return err
}
