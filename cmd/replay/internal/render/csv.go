package render

import (
	"bufio"
	"strconv"
	"strings"
	"unicode/utf8"
)

// csvWriter writes null as nothing and the empty text as "", so that the two
// stay apart; encoding/csv cannot.
type csvWriter struct {
	w      *bufio.Writer
	cols   []Column
	opt    Options
	headed bool
}

func (c *csvWriter) head() {
	if c.headed {
		return
	}
	c.headed = true
	for i, col := range c.cols {
		c.cell(i, quote(c.safe(col.Name)))
	}
	_ = c.w.WriteByte('\n')
}

func (c *csvWriter) Write(row []any) error {
	c.head()
	for i, v := range row {
		v = plain(v)
		s := exact(v)
		if v != nil && !isNumber(v) {
			s = quote(c.safe(s))
		}
		c.cell(i, s)
	}
	return c.w.WriteByte('\n')
}

func (c *csvWriter) Close() error {
	c.head()
	return c.w.Flush()
}

func (c *csvWriter) cell(i int, s string) {
	if i > 0 {
		_ = c.w.WriteByte(',')
	}
	_, _ = c.w.WriteString(s)
}

func (c *csvWriter) safe(s string) string {
	if !c.opt.Exact && isFormula(s) {
		s = "'" + s
	}
	if c.opt.Terminal {
		return Safe(s)
	}
	return s
}

// isFormula tells a text that a spreadsheet would reckon instead of show. With
// an apostrophe before it, it is shown. Numbers are no danger.
func isFormula(s string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \t\r\n\x00"))
	if s == "" || !strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20", first) || len(s) == 1 {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil
}

func quote(s string) string {
	if s != "" && !strings.ContainsAny(s, ",\"\r\n") && s[0] != ' ' && s[len(s)-1] != ' ' {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
