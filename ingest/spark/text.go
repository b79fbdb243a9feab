package spark

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Limits on free text, in bytes. A log may hold a statement of a megabyte as
// the description of an execution; nobody reads on after a screen of it.
const (
	maxText   = 2048 // descriptions, reasons, offsets
	maxDetail = 500  // one operator of a plan
)

// Limits of an interner: longer strings are hardly ever repeated, and a log
// with endless names must not fill memory.
const (
	maxInterned      = 256     // bytes of a string
	maxInternedTable = 1 << 16 // strings
)

// interner keeps one copy of strings that a log repeats: names of workers,
// hosts, stages. Its keys are the bytes of the log, its values safe text.
type interner struct {
	table map[string]string
}

// intern returns b as safe text.
func (in *interner) intern(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := in.table[string(b)]; ok {
		return s
	}
	s := clean(b)
	if len(b) > maxInterned {
		return s
	}
	if in.table == nil || len(in.table) >= maxInternedTable {
		in.table = make(map[string]string)
	}
	key := s
	if len(s) != len(b) || s != string(b) {
		key = string(b)
	}
	in.table[key] = s
	return s
}

// clean makes safe text: invalid UTF-8 and NUL become U+FFFD.
func clean(b []byte) string {
	if utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 {
		return string(b)
	}
	s := strings.ToValidUTF8(string(b), "\uFFFD")
	return strings.ReplaceAll(s, "\x00", "\uFFFD")
}

// cutText is at most n bytes of b, without a broken character at the end.
func cutText(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for i := n; i > n-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			return b[:i]
		}
	}
	return b[:n]
}

// firstLine is the first line of b that is not blank, without the space
// around it: a message without its stack trace. A Python trace has the message
// at its end; it is taken from there.
func firstLine(b []byte) string {
	b, rest, _ := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	b = bytes.TrimSpace(b)
	first := clean(cutText(b, maxText))
	if !bytes.HasSuffix(b, []byte("Traceback (most recent call last):")) {
		return first
	}
	for line := range bytes.Lines(rest) {
		if line[0] > ' ' {
			return first + " " + clean(cutText(bytes.TrimSpace(line), maxText-len(first)-1))
		}
	}
	return first
}

// withoutFrames is b without the frames of stack traces and blank lines: on
// Kubernetes what killed a worker is said in the lines behind the first.
func withoutFrames(b []byte) string {
	var kept []byte
	for line := range bytes.Lines(bytes.TrimSpace(b)) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || bytes.HasPrefix(line, []byte("at ")) || len(kept) > maxText {
			continue
		}
		if kept != nil {
			kept = append(kept, '\n')
		}
		kept = append(kept, line...)
	}
	return clean(cutText(kept, maxText))
}
