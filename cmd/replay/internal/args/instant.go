package args

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Run is what an instant may be relative to: one application's time, and the
// zone in which clock times are meant.
type Run struct {
	StartMs, EndMs int64
	Zone           *time.Location
}

// Instant is a moment as the user wrote it. Resolve makes it a time.
type Instant struct {
	text string
	form form
	ms   int64   // epoch: the moment; sinceStart: after the start; clock: after midnight
	part float64 // share: 0 to 1
}

type form int

const (
	epoch form = iota
	sinceStart
	clock
	share
)

const instantForms = "RFC 3339, epoch milliseconds, a clock time like 02:14 or 02:14:30, +50m (since the start), or 83% (of the run)"

// ParseInstant reads an instant.
func ParseInstant(s string) (Instant, error) {
	for _, parse := range []func(string) (Instant, bool){parseEpoch, parseSinceStart, parseShare, parseClock, parseRFC3339} {
		if i, ok := parse(s); ok {
			i.text = s
			return i, nil
		}
	}
	return Instant{}, fmt.Errorf("%q is no instant: give %s", s, instantForms)
}

// String is the instant as it was written.
func (i Instant) String() string { return i.text }

func parseEpoch(s string) (Instant, bool) {
	ms, err := strconv.ParseUint(s, 10, 63)
	return Instant{form: epoch, ms: int64(ms)}, err == nil
}

func parseSinceStart(s string) (Instant, bool) {
	rest, ok := strings.CutPrefix(s, "+")
	if !ok {
		return Instant{}, false
	}
	d, err := ParseDuration(rest)
	return Instant{form: sinceStart, ms: d.Milliseconds()}, err == nil
}

func parseShare(s string) (Instant, bool) {
	rest, ok := strings.CutSuffix(s, "%")
	if !ok || strings.ContainsAny(rest, "xXpP_+-eEiInN") {
		return Instant{}, false
	}
	f, err := strconv.ParseFloat(rest, 64)
	return Instant{form: share, part: f / 100}, err == nil && f <= 100
}

func parseClock(s string) (Instant, bool) {
	for _, layout := range []string{"15:04", "15:04:05", "15:04:05.999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return Instant{form: clock, ms: t.Sub(midnight(t)).Milliseconds()}, true
		}
	}
	return Instant{}, false
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

func parseRFC3339(s string) (Instant, bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	return Instant{form: epoch, ms: t.UnixMilli()}, err == nil
}

// Resolve is the moment in epoch milliseconds. A moment outside the run is an
// error: nothing is known of it.
func (i Instant) Resolve(r Run) (int64, error) {
	var ms int64
	switch i.form {
	case epoch:
		ms = i.ms
	case sinceStart:
		ms = r.StartMs + i.ms
	case share:
		ms = r.StartMs + int64(math.Round(i.part*float64(r.EndMs-r.StartMs)))
	case clock:
		return i.resolveClock(r)
	}
	if ms < r.StartMs || ms > r.EndMs {
		return 0, fmt.Errorf("%s is outside the run (%s)", i.text, r.span())
	}
	return ms, nil
}

// resolveClock finds the one moment of the run at which the clock shows the
// time. Days are few: a second moment is already one too many.
func (i Instant) resolveClock(r Run) (int64, error) {
	var found []int64
	start := time.UnixMilli(r.StartMs).In(r.Zone)
	for day := -1; day <= 3; day++ {
		for _, t := range showing(midnight(start).AddDate(0, 0, day), i.ms) {
			if t >= r.StartMs && t <= r.EndMs {
				found = append(found, t)
			}
		}
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("the clock never shows %s in the run (%s)", i.text, r.span())
	case 1:
		return found[0], nil
	}
	return 0, fmt.Errorf("the clock shows %s more than once in the run (%s): give the day too, as in %s",
		i.text, r.span(), r.format(found[0]))
}

// showing are the moments of a day at which the clock shows ms after
// midnight: none or two on the days when clocks are changed.
func showing(day time.Time, ms int64) []int64 {
	h, m := int(ms/3_600_000), int(ms/60_000%60)
	s, n := int(ms/1000%60), int(ms%1000)*1_000_000
	guess := time.Date(day.Year(), day.Month(), day.Day(), h, m, s, n, day.Location())
	var found []int64
	for _, shift := range []time.Duration{-time.Hour, 0, time.Hour} {
		t := guess.Add(shift)
		if t.Day() == day.Day() && t.Hour() == h && t.Minute() == m {
			found = append(found, t.UnixMilli())
		}
	}
	return found
}

// span prints the run's first and last moment.
func (r Run) span() string {
	return r.format(r.StartMs) + " to " + r.format(r.EndMs)
}

func (r Run) format(ms int64) string {
	return time.UnixMilli(ms).In(r.Zone).Format("2006-01-02T15:04:05.000Z07:00")
}
