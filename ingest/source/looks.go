package source

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// looksLike says what a file is that is no Spark event log, and what to do
// about it where something can be done.
func (s *sniffed) looksLike() string {
	switch {
	case len(s.head) == 0 && s.gap != nil:
		return "cannot be read: " + s.gap.detail
	case len(s.head) == 0:
		return "is empty"
	case s.codec == codecNone:
		return "looks like " + kindOf(s.text)
	case len(s.text) == 0 && s.gap != nil:
		return fmt.Sprintf("is %s-compressed, and nothing of it can be read: %s", s.codec, s.gap.detail)
	case len(s.text) == 0:
		return fmt.Sprintf("is %s-compressed, and empty inside", s.codec)
	}
	return fmt.Sprintf("is %s-compressed, and inside looks like %s", s.codec, kindOf(s.text))
}

// signature is the fixed start of a kind of file.
type signature struct {
	at    int
	magic string
	what  string
}

func signatures() []signature {
	return []signature{
		{0, "Avro-Json\n", "a Hadoop MapReduce job history file (jhist), not a Spark event log"},
		{0, "Obj\x01", "an Avro file"},
		{0, "PAR1", "a Parquet file"},
		{0, "ORC", "an ORC file"},
		{0, "ARROW1", "an Arrow file"},
		{8, "DUCK", "a DuckDB database: give it where a TRACE is asked for"},
		{0, "SQLite format 3\x00", "an SQLite database"},
		{0, "\xff\xfe", "UTF-16 text: convert it to UTF-8 first"},
		{0, "\xfe\xff", "UTF-16 text: convert it to UTF-8 first"},
		{0, "{\x00", "UTF-16 text: convert it to UTF-8 first"},
		{0, "\x00{", "UTF-16 text: convert it to UTF-8 first"},
		{0, "BZh", "bzip2-compressed data: decompress it first"},
		{0, "\xfd7zXZ\x00", "xz-compressed data: decompress it first"},
		{0, "7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it first"},
		{0, "Rar!", "a rar archive: unpack it first"},
		{0, "\x04\x22\x4d\x18", "an LZ4 frame file, which Spark does not write: decompress it with lz4 -d first"},
		{0, "\xff\x06\x00\x00sNaPpY", "a framed Snappy file, which Spark does not write: decompress it first"},
		{0, "\x1f\x8b", "gzip data within compressed data: decompress it once first"},
		{0, "PK\x03\x04", "a zip archive within compressed data: decompress it once first"},
		{0, "\x28\xb5\x2f\xfd", "zstd data within compressed data: decompress it once first"},
		{0, "%PDF", "a PDF document"},
		{0, "\x89PNG", "a PNG picture"},
		{0, "\x7fELF", "a program"},
		{0, "\xca\xfe\xba\xbe", "a Java class"},
		{0, "\xac\xed\x00\x05", "serialized Java objects"},
		{0, "SEQ\x06", "a Hadoop sequence file"},
	}
}

// kindOf names the kind of a file by its first bytes of text.
func kindOf(text []byte) string {
	for _, s := range signatures() {
		if len(text) > s.at && bytes.HasPrefix(text[s.at:], []byte(s.magic)) {
			return s.what
		}
	}
	text = bytes.TrimSpace(bytes.TrimPrefix(text, utf8BOM))
	switch {
	case len(text) == 0:
		return "blank text"
	case text[0] == '{':
		return kindOfJSON(text)
	case text[0] == '[' && len(text) > 1 && strings.IndexByte(" \t\r\n{[\"]-0123456789", text[1]) >= 0:
		return "one JSON array: an event log has one JSON object a line"
	case text[0] == '<':
		return kindOfMarkup(text)
	case !isText(text):
		return "binary data of an unknown kind"
	}
	return kindOfText(text)
}

func kindOfJSON(text []byte) string {
	start := text[:min(len(text), 4096)]
	switch {
	case bytes.Contains(start, []byte(`"archive"`)) && bytes.Contains(start, []byte(`"path"`)):
		return "an archive of a Flink history server, not a Spark event log"
	case bytes.HasPrefix(text, eventPrefix):
		return "JSON lines with an \"Event\" each, none of them an event of Spark: " + quote(firstLine(text))
	case len(firstLine(text)) == 1 && len(text) > 1:
		return "one JSON document over several lines: an event log has one JSON object a line"
	case len(text) < len(eventPrefix) && bytes.HasPrefix(eventPrefix, text):
		return "the first bytes of an event log, cut before its first event"
	}
	return "JSON, but none of its first lines is an event of Spark: " + quote(firstLine(text))
}

func kindOfMarkup(text []byte) string {
	start := strings.ToLower(string(text[:min(len(text), 256)]))
	switch {
	case strings.Contains(start, "<html"), strings.Contains(start, "<!doctype html"):
		return "an HTML page: was the log downloaded, or a page about it?"
	case strings.Contains(start, "<configuration"):
		return "a Hadoop configuration file (XML)"
	}
	return "XML"
}

func kindOfText(text []byte) string {
	line := firstLine(text)
	if n := bytes.Count(line, []byte{','}); n > 0 {
		_, rest, _ := bytes.Cut(text, newline)
		if second := firstLine(rest); len(second) > 0 && bytes.Count(second, []byte{','}) == n {
			return fmt.Sprintf("CSV with %d columns: %s", n+1, quote(line))
		}
	}
	return "text that is not JSON: " + quote(line)
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, newline)
	return bytes.TrimSpace(line)
}

// quote prints the start of a line so that nothing in it reaches a terminal.
func quote(line []byte) string {
	const most = 60
	if len(line) > most {
		return fmt.Sprintf("%+q...", line[:most])
	}
	return fmt.Sprintf("%+q", line)
}

// isText reports whether the start of b is UTF-8 without control characters
// that text does not have.
func isText(b []byte) bool {
	b = b[:min(len(b), 1024)]
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 && len(b) >= utf8.UTFMax {
			return false
		}
		if r < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b", r) {
			return false
		}
		b = b[n:]
	}
	return true
}
