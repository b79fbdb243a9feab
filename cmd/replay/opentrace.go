package main

import (
	"context"
	"errors"
	"strings"

	"tracereplay/replay"
)

// withTrace opens a TRACE argument (a trace file, a directory of tables, or a
// log that is ingested for this one use), runs f on it, and reports the problems
// of its input.
func withTrace(ctx context.Context, env *Env, in *inputFlags, arg string, opt replay.OpenOptions, f func(*replay.Trace) error) error {
	if err := in.validate(); err != nil {
		return err
	}
	t, err := openTrace(ctx, env, in, arg, opt)
	if err != nil {
		return err
	}
	counts, err := t.Problems(ctx) // before f: a query of replay sql may turn to other tables
	if err == nil {
		err = f(t)
	}
	if err == nil {
		err = problemsOf(counts)
	}
	return errors.Join(err, t.Close())
}

func openTrace(ctx context.Context, env *Env, in *inputFlags, arg string, opt replay.OpenOptions) (*replay.Trace, error) {
	kind := replay.KindOf(arg)
	if kind != replay.KindLog && in.machines != "" {
		return nil, usagef("--machines is of use where a log is read, and %s is a trace: give it to replay ingest", arg)
	}
	switch kind {
	case replay.KindFile:
		return replay.Open(ctx, arg, opt)
	case replay.KindTables:
		return replay.OpenTables(ctx, arg, opt)
	}
	w, err := replay.CreateTemp(ctx, createOptions(env))
	if err != nil {
		return nil, err
	}
	out, err := ingestLogs(ctx, env, in, []string{arg}, w, "")
	if err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	out.printNotes(env.Err)
	if err := w.Finish(); err != nil {
		return nil, err
	}
	return w.Open(ctx, opt)
}

func createOptions(env *Env) replay.CreateOptions {
	return replay.CreateOptions{ToolVersion: version, Command: "replay " + strings.Join(env.Line, " ")}
}
