package main

import (
	"fmt"
	"strings"

	"tracereplay/internal/human"
	"tracereplay/replay"
)

// problemsError ends a command that did its work on an input with problems.
type problemsError struct{ counts []replay.ProblemCount }

func (e *problemsError) Error() string {
	var n int64
	var kinds []string
	for _, c := range e.counts {
		n += c.Count
		kinds = append(kinds, fmt.Sprintf("%s %s", human.Count(c.Count), c.Kind))
	}
	return fmt.Sprintf("%s in the input: %s (replay check tells where)", human.Counted(n, "problem", "problems"), strings.Join(kinds, ", "))
}

// problemsOf is nil when there are no problems.
func problemsOf(counts []replay.ProblemCount) error {
	if len(counts) == 0 {
		return nil
	}
	return &problemsError{counts}
}
