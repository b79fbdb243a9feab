package main

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"tracereplay/ingest/source"
)

// limitFlag sets fields of source.Limits by their names, which the errors
// about them use.
type limitFlag struct{ source.Limits }

// Set reads NAME=N; N may end in KiB, MiB, GiB or TiB.
func (l *limitFlag) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok {
		return fmt.Errorf("give NAME=N, with NAME one of %s", limitNames())
	}
	n, err := parseSize(value)
	if err != nil {
		return err
	}
	field := reflect.ValueOf(&l.Limits).Elem().FieldByName(name)
	if !field.IsValid() {
		return fmt.Errorf("no limit %q: it is one of %s", name, limitNames())
	}
	field.SetInt(n)
	return nil
}

func (l *limitFlag) String() string { return "" }
func (l *limitFlag) Type() string   { return "NAME=N" }

func limitNames() string {
	t := reflect.TypeFor[source.Limits]()
	var names []string
	for i := range t.NumField() {
		names = append(names, t.Field(i).Name)
	}
	return strings.Join(names, ", ")
}

// parseSize reads a positive number, of bytes where it has a unit.
func parseSize(s string) (int64, error) {
	shift := 0
	for i, unit := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if rest, ok := strings.CutSuffix(s, unit); ok {
			s, shift = strings.TrimSpace(rest), 10*(i+1)
			break
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 || n > (1<<62)>>shift {
		return 0, fmt.Errorf("%q is no size: give a number, or one with KiB, MiB, GiB or TiB", s)
	}
	return n << shift, nil
}
