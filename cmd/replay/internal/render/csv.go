package render

import (
	"bufio"
	"strings"
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
	if c.opt.Terminal {
		return Safe(s)
	}
	return s
}

func quote(s string) string {
	if s != "" && !strings.ContainsAny(s, ",\"\r\n") && s[0] != ' ' && s[len(s)-1] != ' ' {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
