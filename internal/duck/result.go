package duck

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	duckdb "github.com/marcboeker/go-duckdb"
)

// Result is the answer to a query whose columns are not known beforehand.
type Result struct {
	Columns []string

	rows    *sql.Rows
	types   []string
	values  []any
	targets []any
}

// Result runs a query of any shape. The caller closes the result.
func (db *DB) Result(ctx context.Context, query string, args ...any) (*Result, error) {
	rows, err := db.Rows(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	r := &Result{rows: rows}
	if err := r.describe(); err != nil {
		rows.Close()
		return nil, err
	}
	return r, nil
}

func (r *Result) describe() error {
	var err error
	if r.Columns, err = r.rows.Columns(); err != nil {
		return err
	}
	types, err := r.rows.ColumnTypes()
	if err != nil {
		return err
	}
	r.values, r.targets = make([]any, len(types)), make([]any, len(types))
	for i, t := range types {
		r.types = append(r.types, t.DatabaseTypeName())
		r.targets[i] = &r.values[i]
	}
	return nil
}

// Next returns the next row, valid until the following call, and nil after the
// last one. A value is nil, bool, int64, float64, string, json.Number for
// numbers that are neither, or a []any or map[string]any of these.
func (r *Result) Next() ([]any, error) {
	if !r.rows.Next() {
		return nil, r.rows.Err()
	}
	if err := r.rows.Scan(r.targets...); err != nil {
		return nil, err
	}
	for i, v := range r.values {
		r.values[i] = normal(v, r.types[i])
	}
	return r.values, nil
}

// Close ends the result.
func (r *Result) Close() error { return r.rows.Close() }

// normal turns the driver's types into the few that Next promises.
func normal(v any, typ string) any {
	if n, ok := toInt(v); ok {
		return n
	}
	switch v := v.(type) {
	case nil, bool, string, float64:
		return v
	case float32:
		return float64(v)
	case uint64:
		return json.Number(fmt.Sprint(v))
	case *big.Int:
		return json.Number(v.String())
	case duckdb.Decimal:
		return decimal(v)
	case time.Time:
		return moment(v, typ)
	case []byte:
		return octets(v, typ)
	case duckdb.Interval:
		return interval(v)
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = normal(e, "")
		}
		return list
	case map[string]any:
		return normalMap(v)
	case duckdb.Map:
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[fmt.Sprint(normal(k, ""))] = normal(e, "")
		}
		return m
	}
	return fmt.Sprint(v)
}

func normalMap(v map[string]any) map[string]any {
	m := make(map[string]any, len(v))
	for k, e := range v {
		m[k] = normal(e, "")
	}
	return m
}

func decimal(d duckdb.Decimal) json.Number {
	digits := new(big.Int).Abs(d.Value).String()
	if pad := int(d.Scale) + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	if d.Scale > 0 {
		cut := len(digits) - int(d.Scale)
		digits = digits[:cut] + "." + digits[cut:]
	}
	if d.Value.Sign() < 0 {
		digits = "-" + digits
	}
	return json.Number(digits)
}

func moment(t time.Time, typ string) string {
	switch typ {
	case "DATE":
		return t.Format("2006-01-02")
	case "TIME":
		return t.Format("15:04:05.999999")
	default:
		return t.Format("2006-01-02 15:04:05.999999")
	}
}

func octets(b []byte, typ string) string {
	if typ == "UUID" && len(b) == 16 {
		return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	}
	return fmt.Sprintf(`\x%x`, b)
}

func interval(i duckdb.Interval) string {
	return fmt.Sprintf("%d months %d days %s", i.Months, i.Days, time.Duration(i.Micros)*time.Microsecond)
}
