package spark

import (
	"bytes"
	"strconv"
	"strings"
	"unsafe"

	"github.com/go-faster/jx"

	"tracereplay/internal/table"
)

// The readers below take the next value, which is that of the field named in
// words for problems. A value of another type is noted as bad, null is the
// same as absent; both leave the target as it was. The error is only ever that
// of broken JSON.

// fieldFunc reads the value of a field or skips it. key is a view of the line
// and must not be kept beyond it.
type fieldFunc func(j *jx.Decoder, key string) error

// object reads an object, field by field.
func (d *Decoder) object(j *jx.Decoder, field string, f fieldFunc) error {
	if j.Next() != jx.Object {
		return d.other(j, field)
	}
	return j.ObjBytes(func(j *jx.Decoder, key []byte) error { return f(j, view(key)) })
}

// array reads an array, element by element.
func (d *Decoder) array(j *jx.Decoder, field string, f func(j *jx.Decoder) error) error {
	if j.Next() != jx.Array {
		return d.other(j, field)
	}
	return j.Arr(f)
}

// other skips a value that is not of the type wanted.
func (d *Decoder) other(j *jx.Decoder, field string) error {
	isNull := j.Next() == jx.Null
	raw, err := j.Raw()
	if err != nil {
		return err
	}
	if !isNull {
		d.bad(field, raw)
	}
	return nil
}

// int reads an integer.
func (d *Decoder) int(j *jx.Decoder, field string, to *table.I64) error {
	if j.Next() != jx.Number {
		return d.other(j, field)
	}
	raw, err := j.Raw()
	if err != nil {
		return err
	}
	if v, ok := parseInt(raw); ok && isBelievable(field, v) {
		*to = table.Some(v)
	} else {
		d.bad(field, raw)
	}
	return nil
}

// plainInt reads an integer for which absent and 0 are the same.
func (d *Decoder) plainInt(j *jx.Decoder, field string, to *int64) error {
	v := table.Some(*to)
	err := d.int(j, field, &v)
	*to = v.V
	return err
}

// ints reads an array of integers.
func (d *Decoder) ints(j *jx.Decoder, field string, to *[]int64) error {
	return d.array(j, field, func(j *jx.Decoder) error {
		var v table.I64
		err := d.int(j, field, &v)
		if v.OK {
			*to = append(*to, v.V)
		}
		return err
	})
}

// float reads a number. Spark writes what is not finite as a string ("NaN");
// that is no trouble and unknown.
func (d *Decoder) float(j *jx.Decoder, field string, to *table.Opt[float64]) error {
	if j.Next() == jx.String {
		return d.text(j, field, func(b []byte) {
			if v, err := strconv.ParseFloat(string(b), 64); err != nil || v-v == 0 {
				d.bad(field, b)
			}
		})
	}
	if j.Next() != jx.Number {
		return d.other(j, field)
	}
	raw, err := j.Raw()
	if err != nil {
		return err
	}
	if v, err := strconv.ParseFloat(string(raw), 64); err == nil {
		*to = table.Some(v)
	} else {
		d.bad(field, raw)
	}
	return nil
}

// bool reads true or false.
func (d *Decoder) bool(j *jx.Decoder, field string, to *bool) error {
	if j.Next() != jx.Bool {
		return d.other(j, field)
	}
	v, err := j.Bool()
	if err == nil {
		*to = v
	}
	return err
}

// text reads a string and hands its bytes to f; they are valid during the call.
func (d *Decoder) text(j *jx.Decoder, field string, f func([]byte)) error {
	if j.Next() != jx.String {
		return d.other(j, field)
	}
	var err error
	d.scratch, err = j.StrAppend(d.scratch[:0])
	if err == nil {
		f(d.scratch)
	}
	return err
}

// string reads a name: a string that the log is likely to repeat.
func (d *Decoder) string(j *jx.Decoder, field string, to *string) error {
	return d.text(j, field, func(b []byte) { *to = d.strings.intern(cutText(b, maxText)) })
}

// message reads free text that may go on with a stack trace: its first line.
func (d *Decoder) message(j *jx.Decoder, field string, to *string) error {
	return d.text(j, field, func(b []byte) { *to = firstLine(b) })
}

// any reads a value of whatever type as text: strings as they are, all else
// as the JSON it is.
func (d *Decoder) any(j *jx.Decoder, field string, to *string) error {
	switch j.Next() {
	case jx.String, jx.Null:
		return d.string(j, field, to)
	default:
		raw, err := j.Raw()
		if err == nil {
			*to = clean(cutText(raw, maxText))
		}
		return err
	}
}

// nestedObject reads the object that a string holds as JSON. It returns
// whether there was one: some strings that are meant to are not JSON.
func (d *Decoder) nestedObject(text []byte, f fieldFunc) bool {
	// The fields are read through d.scratch, in which text may stand.
	d.nested.ResetBytes(bytes.Clone(text))
	return d.nested.Next() == jx.Object && d.object(&d.nested, "", f) == nil
}

// view is b as a string, for as long as b stays as it is.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// parseInt reads a JSON number that is an integer of 64 bits.
func parseInt(b []byte) (int64, bool) {
	v, err := strconv.ParseInt(view(b), 10, 64)
	return v, err == nil
}

// maxMeasure bounds sizes, counts and durations: 9 PB. Sums and differences of
// what lies beyond it would overflow. Ids are only compared.
const maxMeasure = 1 << 53

// Instants lie from just before 1970, where some clocks start, to the year 2109:
// queries pack the time since a run's start into 42 bits.
const (
	minInstant = -1
	maxInstant = 1<<42 - 2
)

func isBelievable(field string, v int64) bool {
	if isInstant(field) {
		return minInstant <= v && v <= maxInstant
	}
	return -maxMeasure <= v && v <= maxMeasure || strings.HasSuffix(field, "ID") || strings.HasSuffix(field, "Id")
}

// isInstant tells whether a field holds a moment. Others that are called times
// hold durations, some of them in ns.
func isInstant(field string) bool {
	switch field {
	case "Timestamp", "time", "Launch Time", "Finish Time", "Getting Result Time", "Submission Time", "Completion Time":
		return true
	}
	return false
}
