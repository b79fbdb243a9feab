package replay

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Args are the settings of a policy's parameters, as written. What is not in
// them has its default.
type Args map[string]string

// text is a parameter's setting as written, its default if it is not set.
func (a Args) text(p *Policy, name string) string {
	if v, ok := a[name]; ok {
		return v
	}
	x, _ := p.param(name)
	return x.Default
}

// check finds settings that the policy does not take.
func (a Args) check(p *Policy) error {
	for name, v := range a {
		x, ok := p.param(name)
		if !ok {
			return fmt.Errorf("policy %s has no parameter %q%s", p.Name, name, p.known())
		}
		if err := x.check(v); err != nil {
			return fmt.Errorf("policy %s: %s=%s: %w", p.Name, name, v, err)
		}
	}
	return nil
}

// known lists a policy's parameters, for error messages.
func (p *Policy) known() string {
	if len(p.Params) == 0 {
		return ", nor any other"
	}
	var names []string
	for _, x := range p.Params {
		names = append(names, x.Name)
	}
	return "; it has " + strings.Join(names, ", ")
}

// check tells what is wrong with a value.
func (x *Param) check(s string) error {
	v, err := x.Type.parse(s)
	if err != nil {
		return err
	}
	if x.Type == ChoiceParam && !slices.Contains(x.Choices, s) {
		return errors.New("it is one of " + strings.Join(x.Choices, ", "))
	}
	if x.IsAssumption { // its ends are what is assumed: who knows better may say so
		if v == nil || number(v) < 0 {
			return errors.New("the least is 0")
		}
		return nil
	}
	if isBelow(x.Type, v, x.From) {
		return errors.New("the least is " + x.From)
	}
	if x.To != "" && x.To != "never" {
		if v == nil {
			return errors.New("the most is " + x.To)
		}
		if to, err := x.Type.parse(x.To); err == nil && number(v) > number(to) {
			return errors.New("the most is " + x.To)
		}
	}
	return nil
}

// isBelow tells whether a value is less than a limit that may be missing.
func isBelow(t ParamType, v any, limit string) bool {
	if limit == "" || v == nil {
		return false
	}
	from, err := t.parse(limit)
	return err == nil && number(v) < number(from)
}

func number(v any) float64 {
	switch n := v.(type) {
	case int64:
		return float64(n)
	case float64:
		return n
	default:
		return 0
	}
}

// parse reads a value: int64, float64 or string; nil is never.
func (t ParamType) parse(s string) (any, error) {
	switch t {
	case IntParam:
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return nil, errors.New("it is a whole number")
		}
		return n, nil
	case FloatParam:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, errors.New("it is a number")
		}
		return f, nil
	case DurationParam:
		return parseDuration(s)
	case SizeParam:
		return parseSize(s)
	default:
		return s, nil
	}
}

func parseDuration(s string) (any, error) {
	if s == "never" {
		return nil, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return nil, errors.New("it is a duration, like 30s, 10m or 1h30m, or never")
	}
	return d.Milliseconds(), nil
}

// parseSize reads bytes, or bytes a second.
func parseSize(s string) (any, error) {
	units := []struct {
		name string
		n    float64
	}{
		{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
	}
	digits := strings.TrimSuffix(s, "/s")
	factor := 1.0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(digits, u.name); ok {
			digits, factor = rest, u.n
			break
		}
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || f < 0 || f*factor >= math.MaxInt64 || math.IsNaN(f) {
		return nil, errors.New("it is a size, like 512MiB or 1GiB")
	}
	return int64(f * factor), nil
}

// values are all parameters of a policy, for SQL, at one end of what is assumed.
func (p *Policy) values(args Args, end End) (values map[string]any, types map[string]string, err error) {
	// A column that is always there: a policy may have no parameter.
	values, types = map[string]any{"is_set": true}, map[string]string{"is_set": "BOOLEAN"}
	for _, x := range p.Params {
		s, ok := args[x.Name]
		switch {
		case ok:
		case x.IsAssumption && end == HighEnd:
			s = x.To
		case x.IsAssumption:
			s = x.From
		default:
			s = x.Default
		}
		if values[x.Name], err = x.Type.parse(s); err != nil {
			return nil, nil, fmt.Errorf("policy %s: %s=%s: %w", p.Name, x.Name, s, err)
		}
		types[x.Name] = x.Type.sqlType()
	}
	return values, types, nil
}

// End is an end of what a policy assumes.
type End string

// The ends.
const (
	LowEnd  End = "low"
	HighEnd End = "high"
)

// assumes lists what a policy assumes under these settings and does not get told.
func (p *Policy) assumes(args Args) []Param {
	var out []Param
	for _, x := range p.Params {
		if _, told := args[x.Name]; x.IsAssumption && !told && x.When.holds(p, args) {
			out = append(out, x)
		}
	}
	return out
}
