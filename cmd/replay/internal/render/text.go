package render

import (
	"bufio"
	"strings"
	"unicode/utf8"
)

// textWriter gathers all rows, since the widest value sets a column's width.
type textWriter struct {
	w     *bufio.Writer
	cols  []Column
	opt   Options
	cells [][]string
	left  []bool // the column holds something that is no number
}

func (t *textWriter) Write(row []any) error {
	if t.left == nil {
		t.left = make([]bool, len(t.cols))
	}
	cells := make([]string, len(row))
	for i, v := range row {
		v = plain(v)
		cells[i] = scaled(t.cols[i].Kind, v, t.opt)
		if v != nil && !isNumber(v) {
			t.left[i] = true
		}
	}
	t.cells = append(t.cells, cells)
	return nil
}

func (t *textWriter) Close() error {
	if t.left == nil {
		t.left = make([]bool, len(t.cols))
	}
	head := make([]string, len(t.cols))
	width := make([]int, len(t.cols))
	for i, c := range t.cols {
		head[i] = Safe(c.Name)
		if c.Head != "" {
			head[i] = c.Head
		}
		width[i] = utf8.RuneCountInString(head[i])
		for _, row := range t.cells {
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
	}
	t.line(head, width)
	for _, row := range t.cells {
		t.line(row, width)
	}
	return t.w.Flush()
}

func (t *textWriter) line(cells []string, width []int) {
	var b strings.Builder
	for i, c := range cells {
		if t.cols[i].Hide {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("  ")
		}
		pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
		if t.left[i] {
			b.WriteString(c + pad)
		} else {
			b.WriteString(pad + c)
		}
	}
	// An error stays with the buffer and comes out of Flush.
	_, _ = t.w.WriteString(strings.TrimRight(b.String(), " ") + "\n")
}
