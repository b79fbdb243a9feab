// Package problem holds what was wrong with an input and where.
//
// Trouble in a log is data, not an error: it is counted, positioned and handed
// on as rows of table `problem`, while everything that can still be read is
// read. Only trouble with reading itself (I/O, not a log at all) is an error.
package problem

import "fmt"

// Kind is the fixed code of one sort of problem.
type Kind string

// The kinds, each with what it says about the log.
const (
	MalformedLine Kind = "malformed_line" // a line that is not one JSON object; skipped
	CutLine       Kind = "cut_line"       // the last line ends in the middle; skipped
	CutFrame      Kind = "cut_frame"      // a compressed stream ends in the middle of a frame
	CorruptFrame  Kind = "corrupt_frame"  // a compressed stream does not decode from here on
	MissingField  Kind = "missing_field"  // an event lacks a field that gives it meaning
	BadValue      Kind = "bad_value"      // a field holds a value that cannot be (not a number, overflow)
	TooLong       Kind = "line_too_long"  // a line beyond the limit; skipped
	MissingPart   Kind = "missing_part"   // a rolled log lacks one of its files
	OrphanEvent   Kind = "orphan_event"   // an event whose partner must have existed and is absent
	Contradiction Kind = "contradiction"  // events that contradict each other
	Compacted     Kind = "compacted"      // finished work was dropped by the history server's compaction
)

// Pos is a place in an input: a file, a line of its decompressed text, counted
// from 1 (0 = unknown), and a byte offset into that decompressed text (for
// CutFrame and CorruptFrame: into the file itself); -1 = unknown.
type Pos struct {
	File   string
	Line   int64
	Offset int64
}

// String prints file:line (byte N), leaving out what is unknown.
func (p Pos) String() string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d", p.Line)
	}
	if p.Offset >= 0 {
		s += fmt.Sprintf(" (byte %d)", p.Offset)
	}
	return s
}

// Problem is one thing that was wrong.
type Problem struct {
	Kind    Kind
	Pos     Pos
	Seq     int64  // ordinal of the line over all parts of the log, from 1; 0 = unknown
	Skipped int64  // bytes that were not used
	Event   string // kind of event concerned, empty if unknown
	Detail  string // what was found, in words
}

func (p Problem) String() string {
	return fmt.Sprintf("%s: %s: %s", p.Pos, p.Kind, p.Detail)
}
