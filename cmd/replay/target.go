package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"tracereplay/cmd/replay/internal/render"
	"tracereplay/internal/aside"
)

// targets are the files and directories that a command was asked to write, with
// what stood there before.
type targets []target

type target struct {
	path   string
	before os.FileInfo // nil if there was none
}

// targetsOf reads them off the flags.
func targetsOf(flags *pflag.FlagSet) (all targets) {
	for _, name := range []string{"output", "tables"} {
		f := flags.Lookup(name)
		if f == nil || f.Value.Type() != "string" || f.Value.String() == "" || f.Value.String() == "-" {
			continue
		}
		info, err := os.Stat(f.Value.String())
		if err != nil {
			info = nil
		}
		if info == nil || info.Mode().IsRegular() || info.IsDir() {
			all = append(all, target{f.Value.String(), info})
		}
	}
	return all
}

// tell says after a failure what stands at each target: nothing, the old one, or
// the new one, which is whole.
func (all targets) tell(env *Env, err error) {
	var usage *usageError
	var problems *problemsError
	var exists *aside.ExistsError
	if err == nil || errors.As(err, &usage) || errors.As(err, &problems) || errors.As(err, &exists) {
		return
	}
	for _, t := range all {
		fmt.Fprintln(env.Err, "note: "+render.Safe(t.path)+t.state())
	}
}

func (t target) state() string {
	now, err := os.Stat(t.path)
	switch {
	case err != nil && t.before == nil:
		return " was not written: nothing stands there"
	case err != nil:
		return " cannot be looked at: " + err.Error()
	case t.before != nil && os.SameFile(t.before, now):
		return " is the old one, as it was"
	default:
		return " is the new one, whole: what failed came after it"
	}
}
