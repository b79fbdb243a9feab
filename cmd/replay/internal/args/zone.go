package args

import (
	"fmt"
	"strings"
	"time"
)

// ParseZone reads a time zone: a name of the tz database, or an offset as Java
// writes it (GMT+08:00, UTC-5, +01:00). The zone of this machine is none: the
// same command must mean the same everywhere.
func ParseZone(s string) (*time.Location, error) {
	if offset, ok := parseOffset(s); ok {
		return time.FixedZone(s, offset), nil
	}
	if s != "" && s != "Local" {
		if loc, err := time.LoadLocation(s); err == nil {
			return loc, nil
		}
	}
	return nil, fmt.Errorf("%q is no time zone: give a name like Europe/Berlin, or an offset like +01:00", s)
}

// maxOffset is what Java, whose zones the logs name, takes at most, in seconds.
const maxOffset = 18 * 3600

func parseOffset(s string) (seconds int, ok bool) {
	for _, prefix := range []string{"GMT", "UTC", "UT"} {
		s = strings.TrimPrefix(s, prefix)
	}
	for _, layout := range []string{"-07:00", "-0700", "-07"} {
		if t, err := time.Parse(layout, s); err == nil {
			_, seconds = t.Zone()
			return seconds, seconds >= -maxOffset && seconds <= maxOffset
		}
	}
	if len(s) == 2 && (s[0] == '+' || s[0] == '-') { // one digit: UTC-5
		return parseOffset(s[:1] + "0" + s[1:])
	}
	return 0, false
}
