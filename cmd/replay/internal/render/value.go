package render

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"tracereplay/internal/table"
)

func newBuffered(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, 1<<16) }

// plain turns optional values into nil or the value itself.
func plain(v any) any {
	switch v := v.(type) {
	case table.I64:
		return opt(v)
	case table.Str:
		return opt(v)
	case table.Opt[float64]:
		return opt(v)
	case table.Opt[bool]:
		return opt(v)
	case int:
		return int64(v)
	case int32:
		return int64(v)
	}
	return v
}

func opt[T any](v table.Opt[T]) any {
	if !v.OK {
		return nil
	}
	return v.V
}

// exact is a value as csv has it: no unit, nothing rounded.
func exact(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return float(v)
	case json.Number:
		return string(v)
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case []any, map[string]any:
		return string(appendJSON(nil, v))
	}
	return fmt.Sprint(v)
}

// float writes the shortest decimal that reads as the same number.
func float(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64, json.Number:
		return true
	}
	return false
}

func toFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
