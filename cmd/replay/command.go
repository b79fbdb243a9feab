package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"tracereplay/cmd/replay/internal/render"
)

// How to add a subcommand NAME:
//
//  1. Write NAME.go with a function nameCommand() *Command. Its options are a
//     local struct that Flags fills and Run reads; see sql.go for a short one.
//     Shared flags are groups in flags.go: embed inputFlags (TRACE and LOG),
//     runFlags (--app, --tz) and outputFlags (--format, -o, --force).
//  2. Open TRACE with withTrace (opentrace.go): it takes a file, a directory of
//     tables or a LOG, and gives exit code 3 when the input had problems.
//  3. Write rows with outputFlags.write: results go to stdout or -o, notes and
//     progress to env.Err. A wrong use is usagef(...), all else is a plain error.
//  4. Put it into commands() below, and a script into testdata/script.
//
// Long ends with examples; a test runs those that start with "$ replay".

// Command is one subcommand.
type Command struct {
	Name  string
	Usage string // its arguments
	Short string // one line for the list of commands
	Long  string // what it does, with examples
	Flags func(f *pflag.FlagSet)
	Run   func(ctx context.Context, env *Env, args []string) error
}

// commands are all subcommands, in the order of the help.
func commands() []*Command {
	return []*Command{
		reportCommand(),
		ingestCommand(),
		blastCommand(),
		explainCommand(),
		widthCommand(),
		streamCommand(),
		plotCommand(),
		sqlCommand(),
		whatifCommand(),
		policiesCommand(),
		simulateCommand(),
		validateCommand(),
		notebookCommand(),
		checkCommand(),
		tablesCommand(),
		completionCommand(),
	}
}

// Env is what a subcommand meets: its streams, and the line that called it.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Line     []string // the arguments of this process, the program's name left out
}

// note tells the user something on the side. Names from logs are in it.
func (e *Env) note(format string, args ...any) {
	fmt.Fprintln(e.Err, "note: "+render.Safe(fmt.Sprintf(format, args...)))
}

// The exit codes.
const (
	exitDone     = 0
	exitFailed   = 1
	exitUsage    = 2
	exitProblems = 3
)

// usageError is a command line that cannot be meant.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// run is the whole program: it returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	env := &Env{In: stdin, Out: stdout, Err: stderr, Line: args}
	name, err := dispatch(ctx, env, args)
	return exitCode(env, name, err)
}

// dispatch finds the subcommand and runs it. The name is for error messages.
func dispatch(ctx context.Context, env *Env, args []string) (name string, err error) {
	if len(args) == 0 {
		fmt.Fprint(env.Err, overview())
		return "", usagef("a command is missing")
	}
	switch args[0] {
	case "-h", "--help":
		_, err := io.WriteString(env.Out, overview())
		return "", err
	case "--version":
		_, err := io.WriteString(env.Out, versionLine())
		return "", err
	case "help":
		return "help", help(env, args[1:])
	}
	c, err := find(args[0])
	if err != nil {
		return "", err
	}
	return c.Name, c.execute(ctx, env, args[1:])
}

// find returns the subcommand of a name.
func find(name string) (*Command, error) {
	for _, c := range commands() {
		if c.Name == name {
			return c, nil
		}
	}
	if like := closest(name); like != "" {
		return nil, usagef("there is no command %q; did you mean %q?", name, like)
	}
	return nil, usagef("there is no command %q", name)
}

func (c *Command) execute(ctx context.Context, env *Env, args []string) error {
	flags := c.flagSet()
	err := flags.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		_, err := io.WriteString(env.Out, c.help())
		return err
	}
	if err != nil {
		return &usageError{err.Error()}
	}
	if err := spareInputs(flags); err != nil {
		return err
	}
	to := targetsOf(flags)
	err = c.Run(ctx, env, flags.Args())
	to.tell(env, err)
	return err
}

func (c *Command) flagSet() *pflag.FlagSet {
	f := pflag.NewFlagSet(c.Name, pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	f.SortFlags = false
	if c.Flags != nil {
		c.Flags(f)
	}
	return f
}

// exitCode prints what went wrong and says how to end.
func exitCode(env *Env, name string, err error) int {
	prefix := strings.TrimSpace("replay " + name)
	var usage *usageError
	var problems *problemsError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		fmt.Fprintf(env.Err, "%s: %s\nsee %s --help\n", prefix, render.Safe(usage.msg), prefix)
		return exitUsage
	case errors.As(err, &problems):
		fmt.Fprintf(env.Err, "%s: %s\n", prefix, render.Safe(problems.Error()))
		return exitProblems
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(env.Err, "%s: interrupted\n", prefix)
		return exitFailed
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		fmt.Fprintf(env.Err, "%s: %s\n", prefix, render.Safe(line))
	}
	return exitFailed
}
