package spark

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tracereplay/internal/problem"
)

// errEOF is what jx returns when nothing is left.
var errEOF = io.EOF

// errNoObject tells that a line holds some other JSON value, or none.
var errNoObject = errors.New("not a JSON object")

// maxListed is how many fields a problem names.
const maxListed = 8

// trouble gathers what is wrong with a line that is JSON, so that a line with
// many wrong fields gives one problem of each kind.
type trouble struct {
	missing []string
	bad     []string // names of fields with a bad value
	values  []string // and what they hold
	dropped bool     // the event could not be used
	extra   int      // bytes after the object
}

func (t *trouble) reset() {
	t.missing, t.bad, t.values = t.missing[:0], t.bad[:0], t.values[:0]
	t.dropped, t.extra = false, 0
}

// expect notes a field that every such event has, and that is not there. An
// unreadable value has been noted already.
func (d *Decoder) expect(ok bool, field string) {
	t := &d.trouble
	if !ok && !slices.Contains(t.bad, field) && !slices.Contains(t.missing, field) {
		t.missing = append(t.missing, field)
	}
}

// need is expect for a field without which the event is of no use. It returns
// whether the event can be used so far.
func (d *Decoder) need(ok bool, field string) bool {
	d.expect(ok, field)
	if !ok {
		d.trouble.dropped = true
	}
	return ok
}

// bad notes a field that holds what it cannot hold.
func (d *Decoder) bad(field string, value []byte) {
	t := &d.trouble
	t.bad = append(t.bad, field)
	if len(t.values) < maxListed {
		t.values = append(t.values, field+" = "+excerpt(value))
	}
}

// reportTrouble turns what was gathered into problems.
func (d *Decoder) reportTrouble() {
	t := &d.trouble
	skipped := 0
	if t.dropped {
		skipped = len(d.line)
	}
	if len(t.missing) > 0 {
		d.report(problem.MissingField, skipped, "no "+list(t.missing, len(t.missing)))
		skipped = 0
	}
	if len(t.bad) > 0 {
		d.report(problem.BadValue, skipped, list(t.values, len(t.bad)))
	}
	if t.extra > 0 {
		tail := d.line[len(d.line)-t.extra:]
		d.report(problem.MalformedLine, t.extra, "text after the object: "+excerpt(tail))
	}
}

// list names the first of n things.
func list(names []string, n int) string {
	names = names[:min(len(names), maxListed)]
	s := strings.Join(names, ", ")
	if n > len(names) {
		s += fmt.Sprintf(" and %d more", n-len(names))
	}
	return s
}

// unreadable reports a line that is not one JSON object.
func (d *Decoder) unreadable(err error, cut bool) {
	kind, detail := problem.MalformedLine, rootCause(err)
	if cut {
		kind, detail = problem.CutLine, "the log ends in the middle of a line"
	}
	d.report(kind, len(d.line), detail)
}

// rootCause is the innermost error: jx wraps every level of nesting.
func rootCause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			break
		}
		err = inner
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "the object does not end"
	}
	return err.Error()
}

// excerpt quotes the beginning of some bytes of a log.
func excerpt(b []byte) string {
	const most = 40
	more := ""
	if len(b) > most {
		b, more = b[:most], "..."
	}
	return fmt.Sprintf("%q", clean(b)) + more
}
