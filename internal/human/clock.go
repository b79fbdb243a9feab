package human

import (
	"strings"
	"time"
)

// Clock writes instants as clock times of one zone. Its zero value is UTC.
type Clock struct {
	zone   *time.Location
	oneDay bool
}

// ClockIn is the clock of a zone.
func ClockIn(zone *time.Location) Clock { return Clock{zone: zone} }

// Within is the clock for a span of time: where that lies on one day, Moment
// leaves the date out.
func (c Clock) Within(from, to int64) Clock {
	c.oneDay = c.Day(from) == c.Day(to)
	return c
}

// Moment writes an instant with its zone, as short as the clock's span allows.
func (c Clock) Moment(ms int64) string {
	if c.oneDay {
		return c.Time(ms) + " " + c.Zone()
	}
	return c.Full(ms)
}

// Location is the clock's zone.
func (c Clock) Location() *time.Location {
	if c.zone == nil {
		return time.UTC
	}
	return c.zone
}

// Zone is the name that stands beside every clock time.
func (c Clock) Zone() string { return c.Location().String() }

// At is an instant in the clock's zone.
func (c Clock) At(ms int64) time.Time { return time.UnixMilli(ms).In(c.Location()) }

// Time writes the time of day, without its zone: for places that have named it.
func (c Clock) Time(ms int64) string { return c.At(ms).Format("15:04:05") }

// Day writes the date.
func (c Clock) Day(ms int64) string { return c.At(ms).Format("2006-01-02") }

// Full writes date, time and zone.
func (c Clock) Full(ms int64) string {
	return c.Day(ms) + " " + c.Time(ms) + " " + c.Zone()
}

// Range writes a span of time with its zone, the date once where one is enough.
func (c Clock) Range(from, to int64) string {
	var b strings.Builder
	b.WriteString(c.Day(from) + " " + c.Time(from) + " to ")
	if c.Day(from) != c.Day(to) {
		b.WriteString(c.Day(to) + " ")
	}
	b.WriteString(c.Time(to) + " " + c.Zone())
	return b.String()
}
