package main

import (
	"reflect"
	"strings"

	"tracereplay/cmd/replay/internal/render"
	"tracereplay/internal/table"
)

// resultColumns are the columns of a declared result for output. shown are
// those that text shows, with their heads; csv and json have all.
func resultColumns(spec *table.Spec, shown map[string]string) []render.Column {
	cols := make([]render.Column, len(spec.Columns))
	for i, c := range spec.Columns {
		head, ok := shown[c.Name]
		cols[i] = render.Column{Name: c.Name, Head: head, Hide: !ok, Kind: kindOf(c)}
		if c.Name == "removal_group" {
			cols[i].Name = "group" // a word of SQL, so the column is called otherwise there
		}
	}
	return cols
}

// kindOf tells how text shows a column: ages, waits and slot time are durations,
// all other times are instants.
func kindOf(c table.Column) render.Kind {
	switch c.Unit {
	case "bytes":
		return render.Bytes
	case "slot ms":
		return render.Duration
	case "ms":
		if strings.Contains(c.Name, "age") || strings.Contains(c.Name, "delay") || strings.Contains(c.Name, "life") {
			return render.Duration
		}
		return render.Instant
	}
	if c.Unit == "1" { // a ratio, rounded as numbers are
		return render.Count
	}
	if c.Type.Name() == "int64" && !strings.HasSuffix(c.Name, "task") && !strings.HasSuffix(c.Name, "stage") {
		return render.Count
	}
	return render.Plain
}

// resultValues are the values of a row in the order of its declaration. The
// fields of T carry the columns' names in their tags.
func resultValues[T any](spec *table.Spec, v *T) []any {
	byName := map[string]int{}
	t := reflect.TypeFor[T]()
	for i := range t.NumField() {
		byName[t.Field(i).Tag.Get("col")] = i
	}
	out := make([]any, len(spec.Columns))
	s := reflect.ValueOf(v).Elem()
	for i, c := range spec.Columns {
		out[i] = s.Field(byName[c.Name]).Interface()
	}
	return out
}

// eachResult hands the rows of a result on.
func eachResult[T any](spec *table.Spec, all []T) func(write func([]any) error) error {
	return func(write func([]any) error) error {
		for i := range all {
			if err := write(resultValues(spec, &all[i])); err != nil {
				return err
			}
		}
		return nil
	}
}
