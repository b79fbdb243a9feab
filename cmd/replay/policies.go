package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"tracereplay/cmd/replay/internal/render"
	"tracereplay/replay"
)

type policiesOptions struct {
	outputFlags
}

func policiesCommand() *Command {
	var o policiesOptions
	return &Command{
		Name:  "policies",
		Usage: "[NAME]",
		Short: "tell what each policy of whatif rewrites, takes and costs",
		Long: `Lists the policies that whatif compares, or prints the header of one: what it does, its
parameters with their ranges, what it reads and rewrites, what it costs, when it does
not apply, and what it cannot know. NAME may be a file of your own: its header is
checked as ours are.

Examples:
  $ replay policies
  $ replay policies detached-shuffle`,
		Flags: o.add,
		Run:   o.run,
	}
}

func (o *policiesOptions) add(f *pflag.FlagSet) { o.outputFlags.add(f) }

func (o *policiesOptions) run(_ context.Context, env *Env, args []string) error {
	switch len(args) {
	case 0:
		return o.list(env)
	case 1:
		c, err := replay.ParsePolicies(args[0])
		if err != nil {
			return &usageError{err.Error()}
		}
		return o.to(env, func(w io.Writer, _ bool) error {
			for line := range strings.Lines(c[0].Policy.Header()) {
				if _, err := fmt.Fprintln(w, render.Safe(strings.TrimRight(line, "\r\n"))); err != nil {
					return err
				}
			}
			return nil
		})
	default:
		return usagef("give one NAME, or none")
	}
}

func (o *policiesOptions) list(env *Env) error {
	all, err := replay.Policies()
	if err != nil {
		return err
	}
	cols := []render.Column{
		{Name: "policy"}, {Name: "parameters"}, {Name: "purpose"}, {Name: "rewrites", Hide: true}, {Name: "moves_work", Hide: true}, {Name: "checked", Hide: true},
	}
	return o.write(env, rows{Columns: cols, Null: " ", Each: func(write func([]any) error) error {
		for _, p := range all {
			if err := write([]any{p.Name, parameters(p), p.Purpose, strings.Join(p.Rewrites, ", "), p.MovesWork, checked(p)}); err != nil {
				return err
			}
		}
		return nil
	}})
}

// checked is what a policy was checked against, and under which of its settings.
func checked(p *replay.Policy) string {
	var parts []string
	for _, r := range p.Checked {
		text := r.Text
		if r.Param != "" {
			text = r.Param + "=" + r.Value + ": " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// parameters are a policy's, as they are written, with their defaults.
func parameters(p *replay.Policy) string {
	var parts []string
	for i, x := range p.Params {
		value := x.Default
		switch {
		case x.IsAssumption:
			value = x.From + ".." + x.To
		case value == "":
			value = `""`
		}
		if i == 0 {
			parts = append(parts, fmt.Sprintf("=%s", value))
		} else {
			parts = append(parts, fmt.Sprintf("%s=%s", x.Name, value))
		}
	}
	return strings.Join(parts, ":")
}
