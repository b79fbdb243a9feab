package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"

	"tracereplay/cmd/replay/internal/render"
	"tracereplay/internal/aside"
)

// outputFlags say where rows go, and in which form.
type outputFlags struct {
	format choiceFlag
	out    string
	force  bool
	exact  bool
}

func (f *outputFlags) add(fs *pflag.FlagSet) {
	f.format = choiceFlag{"text", []string{"text", "csv", "json"}}
	fs.Var(&f.format, "format", "text for people; csv and json with base units")
	fs.StringVarP(&f.out, "output", "o", "", "write to `FILE` instead of standard output")
	fs.BoolVar(&f.force, "force", false, "replace FILE if it exists")
	fs.BoolVar(&f.exact, "exact", false, "csv: no ' before a text that a spreadsheet would take for a formula")
}

// rows is where a command writes its rows.
type rows struct {
	Columns []render.Column
	Null    string         // how text shows a null; "" = "-"
	Zone    *time.Location // of instants in text
	// Each hands every row to write.
	Each func(write func(row []any) error) error
}

// write renders rows to where the flags say.
func (f *outputFlags) write(env *Env, r rows) error {
	return f.to(env, func(w io.Writer, terminal bool) error {
		opt := render.Options{Null: r.Null, Zone: r.Zone, Terminal: terminal, Exact: f.exact}
		out := render.New(w, render.Format(f.format.value), r.Columns, opt)
		if err := r.Each(out.Write); err != nil {
			return err
		}
		return out.Close()
	})
}

// to opens the output. A file appears when it is whole; a device or pipe that
// is named as a file is written to as it is.
func (f *outputFlags) to(env *Env, write func(w io.Writer, terminal bool) error) error {
	if f.out == "" || f.out == "-" {
		return write(env.Out, isTerminal(env.Out))
	}
	if info, err := os.Stat(f.out); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return writeFile(f.out, os.O_WRONLY, write)
	}
	p, err := aside.New(f.out, f.force)
	if err != nil {
		return err
	}
	if err := writeFile(p.Path(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, write); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", f.out, err), p.Abort())
	}
	return p.Commit()
}

func writeFile(path string, mode int, write func(w io.Writer, terminal bool) error) error {
	file, err := os.OpenFile(path, mode, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(write(file, isTerminal(file)), file.Close())
}
