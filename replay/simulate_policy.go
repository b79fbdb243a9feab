package replay

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tracereplay/replay/sim"
)

// With is the run under a policy, which may be several that are joined by
// commas and applied from left to right. What a policy asks of the engine
// (notice, draining) is set in opt.
func (s *SimRun) With(policy string, opt *sim.Options) (*SimRun, error) {
	out := *s
	for text := range strings.SplitSeq(policy, ",") {
		p, err := parseSimPolicy(text)
		if err != nil {
			return nil, err
		}
		if out.Run, err = p.Apply(out.Run, opt); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return &out, nil
}

// parseSimPolicy reads NAME, NAME=VALUE or NAME=VALUE:key=value:... Durations
// become ms and sizes bytes.
func parseSimPolicy(text string) (*sim.Policy, error) {
	parts := strings.Split(text, ":")
	name, value, hasValue := strings.Cut(parts[0], "=")
	first, known := sim.PolicyParam(name)
	if !known {
		return nil, fmt.Errorf("%s is not laid out in time", name)
	}
	p := &sim.Policy{Name: name, Params: map[string]string{}}
	if hasValue {
		if first == "" {
			return nil, fmt.Errorf("%s takes no value", name)
		}
		p.Params[first] = plainValue(value)
	}
	for _, kv := range parts[1:] {
		k, v, ok := strings.Cut(kv, "=")
		if !ok {
			return nil, fmt.Errorf("%s: %q is not key=value", name, kv)
		}
		p.Params[k] = plainValue(v)
	}
	return p, nil
}

// plainValue turns a duration or a size into its base unit.
func plainValue(v string) string {
	if d, err := time.ParseDuration(v); err == nil && strings.ContainsAny(v, "hmsuµn") {
		return strconv.FormatInt(d.Milliseconds(), 10)
	}
	for i, unit := range []string{"B", "KiB", "MiB", "GiB", "TiB"} {
		number, ok := strings.CutSuffix(v, unit)
		if !ok || unit == "B" && strings.HasSuffix(v, "iB") {
			continue
		}
		if x, err := strconv.ParseFloat(number, 64); err == nil {
			return strconv.FormatFloat(x*float64(int64(1)<<(10*i)), 'f', -1, 64)
		}
	}
	return v
}
