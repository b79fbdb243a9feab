package render

import (
	"bufio"
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode/utf8"
)

// jsonWriter writes an array with one object a line, its keys in the order of
// the columns.
type jsonWriter struct {
	w    *bufio.Writer
	cols []Column
	rows int
	buf  []byte
}

func (j *jsonWriter) Write(row []any) error {
	j.buf = j.buf[:0]
	if j.rows == 0 {
		j.buf = append(j.buf, "[\n"...)
	} else {
		j.buf = append(j.buf, ",\n"...)
	}
	j.rows++
	for i, v := range row {
		j.buf = append(j.buf, "{,"[min(i, 1)])
		j.buf = appendText(j.buf, j.cols[i].Name)
		j.buf = append(j.buf, ':')
		j.buf = appendJSON(j.buf, v)
	}
	j.buf = append(j.buf, '}')
	_, err := j.w.Write(j.buf)
	return err
}

func (j *jsonWriter) Close() error {
	end := "\n]\n"
	if j.rows == 0 {
		end = "[]\n"
	}
	_, _ = j.w.WriteString(end)
	return j.w.Flush()
}

func appendJSON(b []byte, v any) []byte {
	switch v := plain(v).(type) {
	case nil:
		return append(b, "null"...)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) { // JSON has no such numbers
			return append(b, "null"...)
		}
		return append(b, exact(v)...)
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, e)
		}
		return append(b, ']')
	case map[string]any:
		return appendMap(b, v)
	case string:
		return appendText(b, v)
	default:
		if _, ok := v.(bool); ok || isNumber(v) {
			return append(b, exact(v)...)
		}
		return appendText(b, exact(v))
	}
}

func appendMap(b []byte, m map[string]any) []byte {
	b = append(b, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, k), ':')
		b = appendJSON(b, m[k])
	}
	return append(b, '}')
}

// appendText writes a string. All that Safe would replace is escaped, which
// leaves the value as it is. Bytes that are no UTF-8 become U+FFFD.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case isUnsafe(r) && r > 0xffff:
			hi, lo := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
			b = fmt.Appendf(b, `\u%04x\u%04x`, hi, lo)
		case isUnsafe(r):
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
