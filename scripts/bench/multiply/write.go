package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// pause is how long after the last event of a copy the next copy begins.
const pause = 1000

// write writes as many copies as were asked for.
func (t *template) write(w io.Writer) error {
	copies := t.opt.copies
	if t.opt.size > 0 {
		n := int64(len(t.copy(nil, 1, 3)))
		copies = (t.opt.size + n - 1) / n
	}
	var buf []byte
	for k := range copies {
		for i := range t.lines {
			buf = t.line(buf, &t.lines[i], k, copies)
			if len(buf) > 1<<20 {
				if _, err := w.Write(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
		buf = t.farewell(buf, k, copies)
	}
	_, err := w.Write(buf)
	return err
}

// copy writes one copy.
func (t *template) copy(buf []byte, k, copies int64) []byte {
	for i := range t.lines {
		buf = t.line(buf, &t.lines[i], k, copies)
	}
	return t.farewell(buf, k, copies)
}

// line writes a line in copy k, unless it belongs into another.
func (t *template) line(buf []byte, l *line, k, copies int64) []byte {
	if t.skips(l, k, copies) {
		return buf
	}
	first := len(buf)
	for i, h := range l.holes {
		buf = append(buf, l.lits[i]...)
		buf = t.number(buf, h, k)
	}
	buf = append(buf, l.lits[len(l.holes)]...)
	if l.isJob && t.filler != nil {
		buf = t.lengthen(buf, first)
	}
	return buf
}

func (t *template) skips(l *line, k, copies int64) bool {
	switch l.role {
	case atStart:
		return k > 0
	case atEnd:
		return k < copies-1
	case added, removed:
		if !t.fresh || !slices.ContainsFunc(l.holes, func(h hole) bool { return h.kind == worker }) {
			return l.role == added && k > 0 || l.role == removed && k < copies-1
		}
	}
	return false
}

func (t *template) number(buf []byte, h hole, k int64) []byte {
	n := h.base
	switch h.kind {
	case clock:
		n += k * (t.next[clock] - t.first + pause)
	case worker:
		if t.fresh {
			n += k * t.next[worker]
		}
	case host:
		n = (n + k*int64(len(t.hosts))) % t.opt.machines
		return fmt.Appendf(buf, "m%04d", n)
	default:
		n += k * t.next[h.kind]
	}
	return strconv.AppendInt(buf, n, 10)
}

// lengthen gives the job that was just written a long description.
func (t *template) lengthen(buf []byte, from int) []byte {
	key := []byte(`"Properties":{`)
	at := bytes.LastIndex(buf[from:], key)
	if at < 0 {
		return buf
	}
	at += from + len(key)
	filler := t.filler
	if buf[at] == '}' { // the job has no other property
		filler = bytes.TrimSuffix(filler, []byte(","))
	}
	return slices.Insert(buf, at, filler...)
}

// farewell removes the workers that only this copy had, before the next begins.
func (t *template) farewell(buf []byte, k, copies int64) []byte {
	if !t.fresh || k == copies-1 {
		return buf
	}
	ms := t.number(nil, hole{clock, t.next[clock]}, k)
	for _, w := range slices.Sorted(maps.Keys(t.alive)) {
		if t.alive[w] {
			buf = fmt.Appendf(buf, `{"Event":"SparkListenerExecutorRemoved","Timestamp":%s,"Executor ID":"%s","Removed Reason":"idle"}`+"\n",
				ms, t.number(nil, hole{worker, w}, k))
		}
	}
	return buf
}
