package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
)

func completionCommand() *Command {
	return &Command{
		Name:  "completion",
		Usage: "bash|zsh|fish",
		Short: "write a script that completes commands and flags in a shell",
		Long: `Writes a script for the shell to load.

Examples:
  source <(replay completion bash)
  replay completion zsh > "${fpath[1]}/_replay"
  replay completion fish > ~/.config/fish/completions/replay.fish`,
		Run: func(_ context.Context, env *Env, args []string) error {
			if len(args) != 1 {
				return usagef("give one of bash, zsh and fish")
			}
			write, ok := map[string]func() string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[args[0]]
			if !ok {
				return usagef("there is no script for %q: give bash, zsh or fish", args[0])
			}
			_, err := io.WriteString(env.Out, write())
			return err
		},
	}
}

// flagNames are the flags of a command with their dashes.
func flagNames(c *Command) []string {
	names := []string{"--help"}
	c.flagSet().VisitAll(func(f *pflag.Flag) {
		if f.Shorthand != "" {
			names = append(names, "-"+f.Shorthand)
		}
		names = append(names, "--"+f.Name)
	})
	return names
}

func commandNames() string {
	names := []string{"help"}
	for _, c := range commands() {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}

func bashScript() string {
	var b strings.Builder
	b.WriteString("_replay() {\n  local cur=${COMP_WORDS[COMP_CWORD]} words=\n")
	fmt.Fprintf(&b, "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words=%q\n  else\n    case ${COMP_WORDS[1]} in\n", commandNames())
	for _, c := range commands() {
		fmt.Fprintf(&b, "      %s) words=%q ;;\n", c.Name, strings.Join(flagNames(c), " "))
	}
	fmt.Fprintf(&b, "      help) words=%q ;;\n", commandNames())
	b.WriteString(`    esac
    case $cur in -*) ;; *) [ "${COMP_WORDS[1]}" = help ] || words= ;; esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _replay replay
`)
	return b.String()
}

func zshScript() string {
	var b strings.Builder
	b.WriteString("#compdef replay\n_replay() {\n  if (( CURRENT == 2 )); then\n    local -a commands=(\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "      '%s:%s'\n", c.Name, shellText(c.Short))
	}
	b.WriteString("    )\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "    %s) _arguments '*:file:_files'", c.Name)
		c.flagSet().VisitAll(func(f *pflag.Flag) { b.WriteString(" " + zshFlag(f)) })
		b.WriteString(" ;;\n")
	}
	b.WriteString("  esac\n}\nif [ \"$funcstack[1]\" = _replay ]; then _replay \"$@\"; else compdef _replay replay; fi\n")
	return b.String()
}

func zshFlag(f *pflag.Flag) string {
	what, usage := pflag.UnquoteUsage(f)
	text := fmt.Sprintf("--%s[%s]", f.Name, shellText(strings.NewReplacer("[", "(", "]", ")").Replace(usage)))
	if f.NoOptDefVal == "" {
		text += ":" + shellText(what) + ":_files"
	}
	return "'" + text + "'"
}

func fishScript() string {
	var b strings.Builder
	none := "not __fish_seen_subcommand_from " + commandNames()
	for _, c := range commands() {
		fmt.Fprintf(&b, "complete -c replay -n '%s' -a %s -d '%s'\n", none, c.Name, shellText(c.Short))
		c.flagSet().VisitAll(func(f *pflag.Flag) {
			short := ""
			if f.Shorthand != "" {
				short = " -s " + f.Shorthand
			}
			value := ""
			if f.NoOptDefVal == "" {
				value = " -r"
			}
			_, usage := pflag.UnquoteUsage(f)
			fmt.Fprintf(&b, "complete -c replay -n '__fish_seen_subcommand_from %s' -l %s%s%s -d '%s'\n", c.Name, f.Name, short, value, shellText(usage))
		})
	}
	return b.String()
}

// shellText is a text that may stand between single quotes.
func shellText(s string) string {
	return strings.NewReplacer("'", "", ":", ",", "\\", "").Replace(s)
}
