package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"tracereplay/replay"
)

// baseFlags name undisturbed runs of the same job.
type baseFlags struct{ base []string }

func (f *baseFlags) add(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.base, "base", nil, "`TRACE` of an undisturbed run of the same job; may be repeated")
}

// open opens the undisturbed runs. closeAll is to be called in any case.
func (f *baseFlags) open(ctx context.Context, env *Env, in *inputFlags) (bases []replay.Base, closeAll func() error, err error) {
	var traces []*replay.Trace
	closeAll = func() (err error) {
		for _, t := range traces {
			err = errors.Join(err, t.Close())
		}
		return err
	}
	for _, name := range f.base {
		t, err := openTrace(ctx, env, in, name, replay.OpenOptions{})
		if err != nil {
			return nil, closeAll, fmt.Errorf("--base %s: %w", name, err)
		}
		traces = append(traces, t)
		app, err := t.App("")
		if err != nil {
			return nil, closeAll, fmt.Errorf("--base %s: %w", name, err)
		}
		bases = append(bases, replay.Base{DB: t.DB(), App: app.App})
	}
	return bases, closeAll, nil
}
