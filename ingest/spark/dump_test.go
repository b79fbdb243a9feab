package spark_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"tracereplay/ingest"
)

// dump writes what a batch holds, an event a line: the line it came from, its
// type, and its fields. Unknown values, empty texts and false are left out.
func dump(b *ingest.Batch) string {
	var s strings.Builder
	for _, r := range b.Order {
		var e any
		switch r.Kind {
		case ingest.RefStart:
			e = b.Starts[r.I]
		case ingest.RefEnd:
			e = b.Ends[r.I]
		default:
			e = reflect.ValueOf(b.Others[r.I]).Elem().Interface()
		}
		v := reflect.ValueOf(e)
		fmt.Fprintf(&s, "%d %s%s\n", v.FieldByName("Seq").Int(), v.Type().Name(), fields(v))
	}
	for _, p := range b.Problems {
		fmt.Fprintf(&s, "problem %s: %s, %d bytes skipped, %q: %s\n", p.Pos, p.Kind, p.Skipped, p.Event, p.Detail)
	}
	counts(&s, "counts", b.Counts)
	counts(&s, "unknown", b.Unknown)
	return s.String()
}

func counts(s *strings.Builder, title string, m map[string]int64) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(s, "%s %s=%d\n", title, k, m[k])
	}
}

// fields writes the fields of a struct, those of embedded ones among them.
func fields(v reflect.Value) string {
	var s strings.Builder
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Name == "At":
		case f.Anonymous:
			s.WriteString(fields(v.Field(i)))
		default:
			if text := value(v.Field(i)); text != "" {
				s.WriteString(" " + f.Name + "=" + text)
			}
		}
	}
	return s.String()
}

// value writes one value, "" for what is unknown or empty.
func value(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Struct:
		if ok := v.FieldByName("OK"); ok.IsValid() && v.NumField() == 2 && v.FieldByName("V").IsValid() {
			if !ok.Bool() {
				return ""
			}
			return fmt.Sprint(v.FieldByName("V").Interface())
		}
		if s := fields(v); s != "" {
			return "{" + s[1:] + "}"
		}
		return ""
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return value(v.Elem())
	case reflect.Slice:
		return list(v)
	case reflect.String:
		if v.String() == "" {
			return ""
		}
		return fmt.Sprintf("%q", v.String())
	case reflect.Bool:
		if !v.Bool() {
			return ""
		}
	case reflect.Map:
		if v.Len() == 0 {
			return ""
		}
	}
	return fmt.Sprint(v.Interface())
}

func list(v reflect.Value) string {
	var parts []string
	for i := range v.Len() {
		part := value(v.Index(i))
		if part == "" {
			part = "{}"
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return ""
	}
	return "[" + strings.Join(parts, " ") + "]"
}
