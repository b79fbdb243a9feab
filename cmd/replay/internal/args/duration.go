package args

import (
	"fmt"
	"strings"
	"time"
)

// ParseDuration reads a duration in Go's form. There are no negative ones here.
func ParseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		return 0, fmt.Errorf("%q is no duration: give it like 90s, 3m, 1h30m or 250ms", s)
	}
	return d, nil
}

// Duration is a flag that holds a duration.
type Duration time.Duration

// Set implements pflag.Value.
func (d *Duration) Set(s string) error {
	v, err := ParseDuration(s)
	*d = Duration(v)
	return err
}

// String implements pflag.Value.
func (d *Duration) String() string { return time.Duration(*d).String() }

// Type implements pflag.Value.
func (d *Duration) Type() string { return "DURATION" }
