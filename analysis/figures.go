package analysis

import (
	"fmt"

	"tracereplay/internal/human"
)

// Unit of a figure's value.
type UnitOf uint8

// The units. A figure's name ends in the unit that it is stored in.
const (
	InCount  UnitOf = iota
	InMs            // a duration
	InSlotMs        // slot time
	InBytes
	InShare   // between 0 and 1
	InInstant // ms since 1970
	InText    // a name: it may be cut
	InWords   // sentences of ours
)

// Figure is one value that the report shows. Names are those of summary.json.
type Figure struct {
	Name  string
	Unit  UnitOf
	Value any // int64, float64, string, bool, or nil: not known
}

// maxWords is how much of sentences stands in a cell.
const maxWords = 4000

// maxText is how much of a name stands in a sentence or cell.
const maxText = 160

// Text writes the value for people.
func (f Figure) Text(c human.Clock) string {
	switch v := f.Value.(type) {
	case int64:
		return textOf(f.Unit, float64(v), v, c)
	case float64:
		return textOf(f.Unit, v, int64(v+0.5), c)
	case string:
		if f.Unit == InWords {
			return human.Cut(v, maxWords)
		}
		return human.Cut(v, maxText)
	case bool:
		return fmt.Sprint(v)
	default:
		return "not known"
	}
}

func textOf(u UnitOf, exact float64, whole int64, c human.Clock) string {
	switch u {
	case InMs, InSlotMs:
		return human.Duration(whole)
	case InBytes:
		return human.Bytes(whole)
	case InShare:
		return human.Share(exact)
	case InInstant:
		return c.Moment(whole)
	default:
		return human.Number(exact)
	}
}

// Figures are figures in the order in which they were found.
type Figures struct {
	list  []Figure
	index map[string]int
}

// Add names a value. A name is given once.
func (fs *Figures) Add(name string, unit UnitOf, value any) {
	if fs.index == nil {
		fs.index = make(map[string]int)
	}
	if _, ok := fs.index[name]; ok {
		panic("analysis: two figures are called " + name)
	}
	fs.index[name] = len(fs.list)
	fs.list = append(fs.list, Figure{name, unit, value})
}

// Get is the figure of a name.
func (fs *Figures) Get(name string) Figure {
	i, ok := fs.index[name]
	if !ok {
		panic("analysis: no figure is called " + name)
	}
	return fs.list[i]
}

// Has tells whether there is a figure of that name.
func (fs *Figures) Has(name string) bool {
	_, ok := fs.index[name]
	return ok
}

// All are the figures in order.
func (fs *Figures) All() []Figure { return fs.list }

// known is the value of an optional one, for a Figure: nil when it is unknown.
func known[T any](v T, ok bool) any {
	if !ok {
		return nil
	}
	return v
}

// share is part of whole; not known when there is no whole.
func share(part, whole float64) any {
	return known(part/whole, whole > 0)
}
