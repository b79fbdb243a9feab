package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"tracereplay/cmd/replay/internal/render"
	"tracereplay/ingest"
	"tracereplay/internal/aside"
	"tracereplay/internal/human"
	"tracereplay/replay"
)

// outcome is what reading the logs came to.
type outcome struct {
	logs    int
	apps    map[string]string // application -> its log
	lines   int64
	unknown map[string]int64
	notes   []string
	failed  []error // logs that could not be read to the end
	parts   *aside.Kept
}

func newOutcome() *outcome {
	return &outcome{apps: map[string]string{}, unknown: map[string]int64{}}
}

// twiceError is an application that is in two logs.
type twiceError struct{ app, one, other string }

func (e *twiceError) Error() string {
	return fmt.Sprintf("application %s is in %s and in %s: give one of them", e.app, e.one, e.other)
}

// add takes what one log came to. An error ends the work if it is the only
// log, and is told at the end if there are more. A log with an application that
// another log has told of is not taken: a twiceError.
func (o *outcome) add(log string, s ingest.Summary, err error) error {
	o.logs++
	for _, a := range s.Apps {
		if other, ok := o.apps[a.App]; ok {
			err := &twiceError{a.App, other, log}
			o.failed = append(o.failed, err)
			return err
		}
	}
	o.lines += s.Events
	if err != nil {
		err = fmt.Errorf("%s: %w", log, err)
		o.failed = append(o.failed, err)
	}
	for _, a := range s.Apps {
		o.apps[a.App] = log
	}
	for k, n := range s.Unknown {
		o.unknown[k] += n
	}
	o.notes = append(o.notes, s.Notes...)
	return err
}

// removeParts ends what was kept while many logs were read.
func (o *outcome) removeParts() error {
	if o.parts == nil {
		return nil
	}
	return o.parts.Remove()
}

// err is set when some of many logs could not be read to the end; printNotes
// has named them.
func (o *outcome) err() error {
	if len(o.failed) == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d logs could not be read to the end; the trace holds what was read of them, and the others", len(o.failed), o.logs)
}

// print writes the summary for people.
func (o *outcome) print(w io.Writer, name string, n replay.Size) {
	fmt.Fprintf(w, "%s: %s, %s on %s of %s, %s; %s read\n", render.Safe(name),
		human.Counted(n.Apps, "application", "applications"), human.Counted(n.Tasks, "task", "tasks"),
		human.Counted(n.Workers, "worker", "workers"), human.Counted(n.Machines, "machine", "machines"),
		human.Counted(n.Removals, "removal", "removals"), human.Counted(o.lines, "line", "lines"))
	if len(o.unknown) > 0 {
		fmt.Fprintf(w, "events of unknown kinds, counted and left alone: %s\n", render.Safe(listCounts(o.unknown, 8)))
	}
	if n.Workers > 0 && n.Machines == 0 {
		fmt.Fprintln(w, "note: no machine is known: on Kubernetes the log has the addresses of pods only; --machines FILE tells where they ran")
	}
	o.printNotes(w)
}

func (o *outcome) printNotes(w io.Writer) {
	for _, n := range o.notes {
		fmt.Fprintln(w, "note: "+render.Safe(n))
	}
	for _, err := range o.failed {
		fmt.Fprintln(w, "not read to the end: "+render.Safe(err.Error()))
	}
}

// listCounts writes counts, the largest first, at most n of them.
func listCounts(m map[string]int64, n int) string {
	keys := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		if m[a] != m[b] {
			return int(max(-1, min(1, m[b]-m[a])))
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for i, k := range keys {
		if i == n {
			parts = append(parts, fmt.Sprintf("and %d kinds more", len(keys)-n))
			break
		}
		parts = append(parts, fmt.Sprintf("%s %s", human.Count(m[k]), k))
	}
	return strings.Join(parts, ", ")
}
