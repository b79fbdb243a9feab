package duck

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Brief is an error of a query of ours for people who did not write it: DuckDB's
// message on one line, with the number of the query's line, but not its text.
func Brief(err error) error {
	if err == nil {
		return nil
	}
	return &briefError{brief(err.Error()), err}
}

type briefError struct {
	text string
	err  error
}

func (e *briefError) Error() string { return e.text }
func (e *briefError) Unwrap() error { return e.err }

// Behind its message DuckDB shows the line of the query that it is about, and
// after faults of its own a stack.
var (
	queryLine = regexp.MustCompile(`(?s)\nLINE (\d+): .*`)
	stack     = regexp.MustCompile(`(?s)\n+(?:Stack Trace|This error signals).*`)
)

// longestMessage is more than DuckDB has to say, unless it repeats a query.
const longestMessage = 400

func brief(s string) string {
	line := ""
	if m := queryLine.FindStringSubmatch(s); m != nil {
		line = " (its line " + m[1] + ")"
		s = queryLine.ReplaceAllString(s, "")
	}
	s = strings.Join(strings.Fields(stack.ReplaceAllString(s, "")), " ")
	if len(s) > longestMessage {
		end := longestMessage
		for !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end] + " ..."
	}
	return s + line
}
