package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"tracereplay/cmd/replay/internal/render"
	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/replay"
)

type tablesOptions struct {
	outputFlags
}

func tablesCommand() *Command {
	var o tablesOptions
	return &Command{
		Name:  "tables",
		Usage: "[NAME]",
		Short: "tell what each table and column of a trace means",
		Long: `Lists the tables of a trace, or the columns of one: what a row is, which columns
identify it, and of each column the unit, the field of the log that it comes from,
and what null means. The same texts are comments inside a trace.

Examples:
  $ replay tables
  $ replay tables task
  $ replay tables --format markdown`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *tablesOptions) add(f *pflag.FlagSet) {
	o.outputFlags.add(f)
	o.format.choices = append(o.format.choices, "markdown")
	f.Lookup("format").Usage = "text for people; csv and json for programs; markdown for docs"
}

func (o *tablesOptions) run(_ context.Context, env *Env, args []string) error {
	specs := replay.Tables()
	switch len(args) {
	case 0:
	case 1:
		i := slices.IndexFunc(specs, func(s *table.Spec) bool { return s.Name == args[0] })
		if i < 0 {
			return usagef("there is no table %q; replay tables lists them", args[0])
		}
		specs = specs[i : i+1]
	default:
		return usagef("give one NAME, or none")
	}
	switch {
	case o.format.value == "markdown":
		return o.to(env, func(w io.Writer, _ bool) error { return writeMarkdown(w, specs) })
	case len(args) == 0:
		return o.list(env, specs)
	default:
		return o.columns(env, specs[0])
	}
}

func (o *tablesOptions) list(env *Env, specs []*table.Spec) error {
	cols := []render.Column{{Name: "table"}, {Name: "layer"}, {Name: "columns"}, {Name: "grain"}, {Name: "key", Hide: true}, {Name: "doc", Hide: true}}
	return o.write(env, rows{Columns: cols, Each: func(write func([]any) error) error {
		for _, s := range specs {
			if err := write([]any{s.Name, s.Layer, len(s.Columns), s.Grain, strings.Join(s.Key, ", "), s.Doc}); err != nil {
				return err
			}
		}
		for _, v := range replay.Views() {
			if err := write([]any{v.Name, "view", nil, v.Grain, "", v.Doc}); err != nil {
				return err
			}
		}
		return nil
	}})
}

func (o *tablesOptions) columns(env *Env, s *table.Spec) error {
	if o.format.value == "text" {
		fmt.Fprintf(env.Err, "%s: %s\n", s.Name, duck.Comment(s))
	}
	cols := []render.Column{{Name: "column"}, {Name: "type"}, {Name: "unit"}, {Name: "meaning"}, {Name: "source"}, {Name: "null"}}
	return o.write(env, rows{Columns: cols, Null: " ", Each: func(write func([]any) error) error {
		for _, c := range s.Columns {
			row := []any{c.Name, typeName(c), table.NonEmpty(c.Unit), c.Doc, table.NonEmpty(c.Source), table.NonEmpty(c.Null)}
			if err := write(row); err != nil {
				return err
			}
		}
		return nil
	}})
}

// typeName is the type of a column as SQL has it.
func typeName(c table.Column) string {
	name, err := duck.TypeName(c.Type)
	if err != nil {
		return c.Type.Name()
	}
	return name
}
