// Package render writes rows for people (text) and for programs (csv, json).
//
// Text scales units, aligns columns and shows nothing that a terminal could
// take for a command. csv and json hold base units and exact values; what a
// terminal could take for a command is escaped in json, and in csv only when it
// goes to a terminal. A text in csv that a spreadsheet would take for a formula
// gets an apostrophe before it, unless Options.Exact.
package render

import (
	"fmt"
	"io"
	"time"
)

// Format is a form of output.
type Format string

// The formats.
const (
	Text Format = "text"
	CSV  Format = "csv"
	JSON Format = "json"
)

// ParseFormat reads the name of a format.
func ParseFormat(s string) (Format, error) {
	switch f := Format(s); f {
	case Text, CSV, JSON:
		return f, nil
	}
	return "", fmt.Errorf("%q is no format: it is text, csv or json", s)
}

// Kind says how text shows the values of a column.
type Kind int

// The kinds of columns.
const (
	Plain    Kind = iota // as it is
	Count                // 12,345; of float64 three digits
	Duration             // int64 or float64 ms: 12.3 s
	Instant              // int64 epoch ms: 2026-03-02 02:14:30.000, in Options.Zone
	Bytes                // int64 or float64 bytes: 1.2 GiB
	Share                // float64 0 to 1: 83.1 %
)

// Column is a column of the output.
type Column struct {
	Name string // of csv and json, with the base unit at its end
	Head string // of text; "" = Name
	Kind Kind
	Hide bool // not in text
}

// Options of a Writer. The zero value works.
type Options struct {
	Null     string         // how text shows a null; "" = "-"
	Zone     *time.Location // of instants in text; nil = UTC
	Terminal bool           // the output is a terminal
	Exact    bool           // csv leaves what a spreadsheet would take for a formula
}

// Writer takes rows one by one. A value is nil, bool, an integer, float64,
// string, json.Number, time.Time, a table.Opt of these, or (from SQL) a list or
// map of these.
type Writer interface {
	Write(row []any) error
	Close() error // writes what is left; it does not close the io.Writer
}

// New makes a Writer.
func New(w io.Writer, f Format, cols []Column, opt Options) Writer {
	switch f {
	case CSV:
		return &csvWriter{w: newBuffered(w), cols: cols, opt: opt}
	case JSON:
		return &jsonWriter{w: newBuffered(w), cols: cols}
	default:
		return &textWriter{w: newBuffered(w), cols: cols, opt: opt}
	}
}

// All writes rows that are at hand.
func All(w io.Writer, f Format, cols []Column, rows [][]any, opt Options) error {
	out := New(w, f, cols, opt)
	for _, r := range rows {
		if err := out.Write(r); err != nil {
			return err
		}
	}
	return out.Close()
}
