package main

import (
	"fmt"
	"io"
	"strings"
)

// overview is the text of replay --help.
func overview() string {
	var b strings.Builder
	b.WriteString(`replay reads the log of a distributed run and says what losing each worker or
machine would have cost at every instant, and which of it was finished work.

Usage: replay COMMAND [ARGUMENTS] [FLAGS]

Commands:
`)
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-11s %s\n", c.Name, c.Short)
	}
	b.WriteString(`
LOG is a Spark event log: a file, a directory, a glob, an archive, or - for
standard input. TRACE is what ingest made of it, or a LOG.

replay help COMMAND tells more, replay --version which version this is.
Exit codes: 0 done, 1 failed, 2 wrong use, 3 done but the input had problems.
`)
	return b.String()
}

// help is the text of replay COMMAND --help.
func (c *Command) help() string {
	text := fmt.Sprintf("Usage: replay %s %s\n\n%s\n", c.Name, c.Usage, strings.TrimSpace(c.Long))
	if flags := c.flagSet().FlagUsages(); flags != "" {
		text += "\nFlags:\n" + flags
	}
	return text
}

// help prints the help of one command, or the overview.
func help(env *Env, args []string) error {
	text := overview()
	if len(args) > 0 {
		c, err := find(args[0])
		if err != nil {
			return err
		}
		text = c.help()
	}
	_, err := io.WriteString(env.Out, text)
	return err
}

// closest is the command that a mistyped name is likely to mean, or "".
func closest(name string) string {
	best, near := 3, ""
	for _, c := range commands() {
		if d := distance(name, c.Name); d < best {
			best, near = d, c.Name
		}
		if len(name) >= 3 && strings.HasPrefix(c.Name, name) {
			return c.Name
		}
	}
	return near
}

// distance counts the letters to insert, delete or change to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
