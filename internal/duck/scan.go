package duck

import (
	"fmt"
	"math/big"
	"reflect"

	duckdb "github.com/marcboeker/go-duckdb"
)

// scanner moves the values of one row into a Go value. It is made once per
// query, so that the work per value is a switch and a store.
type scanner struct {
	names   []string
	fields  []int // struct field of each column; nil when T is no struct
	values  []any
	targets []any // pointers to values, for sql.Rows.Scan
}

func newScanner(t reflect.Type, names []string) (*scanner, error) {
	s := &scanner{names: names, values: make([]any, len(names)), targets: make([]any, len(names))}
	for i := range s.values {
		s.targets[i] = &s.values[i]
	}
	if t.Kind() != reflect.Struct || isOpt(t) {
		if len(names) != 1 {
			return nil, fmt.Errorf("%d columns do not fit one %s", len(names), t)
		}
		return s, nil
	}
	return s, s.matchFields(t)
}

// matchFields finds each column's field. A column or field left over is a
// mistake in one of the two.
func (s *scanner) matchFields(t reflect.Type) error {
	byName := make(map[string]int)
	for i := range t.NumField() {
		if name, ok := t.Field(i).Tag.Lookup("col"); ok {
			byName[name] = i
		}
	}
	for _, name := range s.names {
		i, ok := byName[name]
		if !ok {
			return fmt.Errorf("%s has no field for column %s", t, name)
		}
		delete(byName, name)
		s.fields = append(s.fields, i)
	}
	for name := range byName {
		return fmt.Errorf("the query has no column %s for %s", name, t)
	}
	return nil
}

func (s *scanner) assign(v reflect.Value) error {
	for i, val := range s.values {
		dst := v
		if s.fields != nil {
			dst = v.Field(s.fields[i])
		}
		if err := assign(dst, val); err != nil {
			return fmt.Errorf("column %s: %w", s.names[i], err)
		}
	}
	return nil
}

// isOpt tells whether t is a table.Opt: a value V that is known when OK.
func isOpt(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.NumField() != 2 {
		return false
	}
	return t.Field(0).Name == "V" && t.Field(1).Name == "OK" && t.Field(1).Type.Kind() == reflect.Bool
}

func assign(dst reflect.Value, src any) error {
	switch {
	case dst.Kind() == reflect.Interface:
		if src != nil {
			dst.Set(reflect.ValueOf(src))
		}
		return nil
	case isOpt(dst.Type()):
		if src == nil {
			return nil
		}
		dst.Field(1).SetBool(true)
		return assign(dst.Field(0), src)
	case dst.Kind() == reflect.Pointer:
		if src == nil {
			return nil
		}
		dst.Set(reflect.New(dst.Type().Elem()))
		return assign(dst.Elem(), src)
	case src == nil:
		return fmt.Errorf("null in a %s that cannot be unknown", dst.Type())
	}
	return assignKnown(dst, src)
}

func assignKnown(dst reflect.Value, src any) error {
	switch dst.Kind() {
	case reflect.Int, reflect.Int64, reflect.Int32:
		n, ok := toInt(src)
		if ok && !dst.OverflowInt(n) {
			dst.SetInt(n)
			return nil
		}
	case reflect.Float64:
		if f, ok := toFloat(src); ok {
			dst.SetFloat(f)
			return nil
		}
	case reflect.String:
		if t, ok := src.(string); ok {
			dst.SetString(t)
			return nil
		}
	case reflect.Bool:
		if b, ok := src.(bool); ok {
			dst.SetBool(b)
			return nil
		}
	case reflect.Slice:
		if list, ok := src.([]any); ok {
			return assignList(dst, list)
		}
	default:
		if v := reflect.ValueOf(src); v.Type().AssignableTo(dst.Type()) {
			dst.Set(v)
			return nil
		}
	}
	return fmt.Errorf("%T %v does not fit %s", src, src, dst.Type())
}

func assignList(dst reflect.Value, list []any) error {
	dst.Set(reflect.MakeSlice(dst.Type(), len(list), len(list)))
	for i, v := range list {
		if err := assign(dst.Index(i), v); err != nil {
			return err
		}
	}
	return nil
}

// toInt takes the integer types that DuckDB answers with, sums included.
func toInt(v any) (int64, bool) {
	switch n := v.(type) {
	case int64:
		return n, true
	case int32:
		return int64(n), true
	case int16:
		return int64(n), true
	case int8:
		return int64(n), true
	case uint8:
		return int64(n), true
	case uint16:
		return int64(n), true
	case uint32:
		return int64(n), true
	case uint64:
		return int64(n), n <= 1<<63-1
	case *big.Int:
		return n.Int64(), n.IsInt64()
	default:
		return 0, false
	}
}

func toFloat(v any) (float64, bool) {
	switch f := v.(type) {
	case float64:
		return f, true
	case float32:
		return float64(f), true
	case duckdb.Decimal:
		return f.Float64(), true
	}
	n, ok := toInt(v)
	return float64(n), ok
}
