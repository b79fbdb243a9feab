package source

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
)

// dropTwins keeps one of several logs that are the very same files, named twice
// or linked. Size and time sort them into groups first, so that a directory of
// many logs is not compared each with each.
func (f *finder) dropTwins() {
	type key struct{ size, time int64 }
	seen := map[key][]*Log{}
	f.logs = slices.DeleteFunc(f.logs, func(l *Log) bool {
		info := l.Parts[0].node.info
		if info == nil {
			return false
		}
		k := key{info.Size(), info.ModTime().UnixNano()}
		i := slices.IndexFunc(seen[k], func(o *Log) bool { return sameFiles(o, l) })
		if i < 0 {
			seen[k] = append(seen[k], l)
			return false
		}
		if first := seen[k][i]; first.Name != l.Name {
			f.note(l.Name, "the same file as %s: read once", first.Name)
		}
		return true
	})
}

func sameFiles(a, b *Log) bool {
	if len(a.Parts) != len(b.Parts) {
		return false
	}
	for i := range a.Parts {
		x, y := a.Parts[i].node.info, b.Parts[i].node.info
		if x == nil || y == nil || !os.SameFile(x, y) {
			return false
		}
	}
	return true
}

// dropRepeats keeps the most complete of several logs of one application
// attempt. They have to be read for that, which costs nothing otherwise.
func (f *finder) dropRepeats() {
	type key struct{ app, attempt, mark string }
	groups := map[key][]*Log{}
	for _, l := range f.logs {
		if l.AppID != "" {
			k := key{l.AppID, l.AppAttempt, l.mark}
			groups[k] = append(groups[k], l)
		}
	}
	drop := map[*Log]bool{}
	for _, logs := range groups {
		if len(logs) > 1 {
			f.keepBest(logs, drop)
		}
	}
	f.logs = slices.DeleteFunc(f.logs, func(l *Log) bool { return drop[l] })
}

// keepBest marks all but the most complete log. On equal terms the first by
// name stays.
func (f *finder) keepBest(logs []*Log, drop map[*Log]bool) {
	best, most := logs[0], f.measure(logs[0])
	for _, l := range logs[1:] {
		m := f.measure(l)
		loser, why := l, most.over(m)
		if m.rank(most) > 0 {
			loser, why = best, m.over(most)
			best, most = l, m
		}
		drop[loser] = true
		f.note(loser.Name, "not read: %s is of the same application attempt (%s) and %s", best.Name, l.AppID, why)
	}
}

// measured is how complete a log is.
type measured struct {
	compacted bool
	stream    bool // cannot be read twice, so the rest is not known
	failed    bool
	ended     bool
	lines     int64
}

var appEnd = []byte("SparkListenerApplicationEnd")

func (f *finder) measure(l *Log) measured {
	m := measured{compacted: l.Compacted}
	if l.Parts[0].node.kind == nodeStream {
		m.stream = true
		return m
	}
	r, err := l.Open(f.opt)
	if err != nil {
		m.failed = true
		return m
	}
	defer r.Close()
	for {
		b, err := r.Next()
		if err != nil {
			m.failed = err != io.EOF
			break
		}
		m.ended = m.ended || bytes.Contains(b.Data, appEnd)
		b.Release()
	}
	for _, s := range r.PartStats() {
		m.lines += s.Lines
	}
	return m
}

// rank is positive if m is more complete than o.
func (m measured) rank(o measured) int {
	for _, bad := range [][2]bool{{m.stream, o.stream}, {m.failed, o.failed}, {m.compacted, o.compacted}, {!m.ended, !o.ended}} {
		if bad[0] != bad[1] {
			if bad[1] {
				return 1
			}
			return -1
		}
	}
	return cmpInt(m.lines, o.lines)
}

// over says why m was preferred to o.
func (m measured) over(o measured) string {
	switch {
	case m.stream != o.stream:
		return "is a file, while this is a stream and cannot be read twice to compare"
	case m.failed != o.failed:
		return "can be read to its end"
	case m.compacted != o.compacted:
		return "is not compacted"
	case m.ended != o.ended:
		return "holds the application's end"
	case m.lines != o.lines:
		return fmt.Sprintf("has more lines (%d, here %d)", m.lines, o.lines)
	}
	return fmt.Sprintf("is as complete (%d lines)", m.lines)
}
