package analysis

import (
	"slices"

	"tracereplay/internal/human"
)

// Residence is where the bytes stood.
type Residence struct {
	Axis     Axis
	Total    []Bytes // all machines together
	Rows     []BytesRow
	Places   int
	MaxBytes float64 // at one place
	Most     float64 // largest total of needed bytes
	Marks    []Mark
	Empty    string
}

// Bytes is what stood somewhere within a bin of time.
type Bytes struct {
	FromMs, ToMs         int64
	Needed, Done, Cached float64
}

// Sum is all of it.
func (b Bytes) Sum() float64 { return b.Needed + b.Done + b.Cached }

// BytesRow is one place, or several that had to share a row: then the most
// that stood at one of them.
type BytesRow struct {
	Label, Full string
	Cells       []BytesCell
}

// BytesCell is one bin of a row.
type BytesCell struct {
	Place string
	Bytes
}

func residence(in *Inputs) Residence {
	r := Residence{Axis: axis(in), Marks: marks(in)}
	byPlace := make(map[string][]BytesCell)
	total := make(map[int64]*Bytes)
	for _, h := range in.Holdings {
		cell := BytesCell{h.Place, Bytes{h.FromMs, h.ToMs, h.Needed, h.Done, h.Cached}}
		r.MaxBytes = max(r.MaxBytes, cell.Sum())
		byPlace[h.Place] = append(byPlace[h.Place], cell)
		addTotal(total, cell.Bytes)
	}
	for _, b := range total {
		r.Total = append(r.Total, *b)
		r.Most = max(r.Most, b.Needed)
	}
	slices.SortFunc(r.Total, func(a, b Bytes) int { return int(a.FromMs - b.FromMs) })
	r.Rows, r.Places = bytesRows(byPlace)
	if r.MaxBytes == 0 {
		r.Empty = "No output whose size is known stood anywhere."
	}
	return r
}

func addTotal(total map[int64]*Bytes, b Bytes) {
	t := total[b.FromMs]
	if t == nil {
		t = &Bytes{FromMs: b.FromMs, ToMs: b.ToMs}
		total[b.FromMs] = t
	}
	t.Needed += b.Needed
	t.Done += b.Done
	t.Cached += b.Cached
}

func bytesRows(byPlace map[string][]BytesCell) (rows []BytesRow, places int) {
	var names []string
	for name := range byPlace {
		names = append(names, name)
	}
	slices.SortFunc(names, human.Compare)
	short := shortNames(names)
	for _, group := range groups(names, MaxRows) {
		h := heatRow(group, "place", short)
		row := BytesRow{Label: h.Label, Full: h.Full}
		best := make(map[int64]BytesCell)
		for _, name := range group {
			for _, c := range byPlace[name] {
				if b, ok := best[c.FromMs]; !ok || c.Sum() > b.Sum() {
					best[c.FromMs] = c
				}
			}
		}
		for _, c := range best {
			row.Cells = append(row.Cells, c)
		}
		slices.SortFunc(row.Cells, func(a, b BytesCell) int { return int(a.FromMs - b.FromMs) })
		rows = append(rows, row)
	}
	return rows, len(names)
}
