package args

import (
	"testing"
	"time"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := ParseZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func ms(t testing.TB, s string) int64 {
	t.Helper()
	when, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return when.UnixMilli()
}

func TestParseUnit(t *testing.T) {
	for s, want := range map[string]Unit{
		"3":                {Any, "3"},
		"worker:3":         {Worker, "3"},
		"machine:node-1":   {Machine, "node-1"},
		"service:rss-1":    {Service, "rss-1"},
		"host:7337":        {Any, "host:7337"},
		"machine:[::1]:80": {Machine, "[::1]:80"},
		"worker:machine:x": {Worker, "machine:x"},
	} {
		if got, err := ParseUnit(s); err != nil || got != want || got.String() != s {
			t.Errorf("%q: %v %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "worker:"} {
		if _, err := ParseUnit(s); err == nil {
			t.Errorf("%q is a unit", s)
		}
	}
}

func TestParseRemoval(t *testing.T) {
	r, err := ParseRemoval("machine:a@b@83%")
	if err != nil || r.Unit != (Unit{Machine, "a@b"}) || r.At.String() != "83%" {
		t.Errorf("%+v %v", r, err)
	}
	for _, s := range []string{"", "3", "@83%", "3@", "3@x"} {
		if _, err := ParseRemoval(s); err == nil {
			t.Errorf("%q is a removal", s)
		}
	}
}

func TestInstant(t *testing.T) {
	// Ten hours, over midnight in Berlin.
	run := Run{ms(t, "2026-03-01T20:00:00Z"), ms(t, "2026-03-02T06:00:00Z"), zone(t, "Europe/Berlin")}
	for s, want := range map[string]string{
		"2026-03-02T02:14:00+01:00": "2026-03-02T01:14:00Z",
		"2026-03-02T01:14:00.5Z":    "2026-03-02T01:14:00.5Z",
		"1772413200000":             "2026-03-02T01:00:00Z",
		"02:14":                     "2026-03-02T01:14:00Z",
		"02:14:30":                  "2026-03-02T01:14:30Z",
		"23:30":                     "2026-03-01T22:30:00Z",
		"+50m":                      "2026-03-01T20:50:00Z",
		"+0s":                       "2026-03-01T20:00:00Z",
		"0%":                        "2026-03-01T20:00:00Z",
		"50%":                       "2026-03-02T01:00:00Z",
		"100%":                      "2026-03-02T06:00:00Z",
		"12.5%":                     "2026-03-01T21:15:00Z",
	} {
		i, err := ParseInstant(s)
		if err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		if got, err := i.Resolve(run); err != nil || got != ms(t, want) {
			t.Errorf("%q: %s %v, want %s", s, run.format(got), err, want)
		}
	}
}

func TestInstantIsNone(t *testing.T) {
	for _, s := range []string{
		"", "-5", "1e3", "+", "+-5m", "+5", "%", "101%", "-1%", "NaN%", "Inf%", "0x1p3%", "25:00", "02:60", "2:5",
		"2026-03-02", "2026-03-02 02:14", "now", "９%",
	} {
		if i, err := ParseInstant(s); err == nil {
			t.Errorf("%q is an instant: %+v", s, i)
		}
	}
}

func TestInstantOutsideRun(t *testing.T) {
	day := Run{ms(t, "2026-03-01T00:00:00Z"), ms(t, "2026-03-02T12:00:00Z"), time.UTC}
	hour := Run{ms(t, "2026-03-01T00:00:00Z"), ms(t, "2026-03-01T01:00:00Z"), time.UTC}
	week := Run{ms(t, "2026-03-01T13:00:00Z"), ms(t, "2026-03-08T12:00:00Z"), time.UTC}
	for s, run := range map[string]Run{
		"50": day, "+37h": day, "2026-03-03T00:00:00Z": day,
		"11:00": day, // twice
		"02:14": hour, "12:59": week,
	} {
		i, err := ParseInstant(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := i.Resolve(run); err == nil {
			t.Errorf("%q in %s: %d", s, run.span(), got)
		} else {
			t.Log(err)
		}
	}
}

// On the day when clocks are put back, 02:30 comes twice in Berlin; when they
// are put forward, it does not come at all.
func TestInstantWhenClocksChange(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	i, err := ParseInstant("02:30")
	if err != nil {
		t.Fatal(err)
	}
	back := Run{ms(t, "2026-10-24T23:00:00Z"), ms(t, "2026-10-25T05:00:00Z"), berlin}
	if got, err := i.Resolve(back); err == nil {
		t.Errorf("02:30 came once: %d", got)
	}
	back.EndMs = ms(t, "2026-10-25T01:00:00Z")
	if got, err := i.Resolve(back); err != nil || got != ms(t, "2026-10-25T00:30:00Z") {
		t.Errorf("%s %v", back.format(got), err)
	}
	forward := Run{ms(t, "2026-03-28T23:00:00Z"), ms(t, "2026-03-29T05:00:00Z"), berlin}
	if got, err := i.Resolve(forward); err == nil {
		t.Errorf("02:30 came: %d", got)
	}
}

func TestParseDuration(t *testing.T) {
	for s, want := range map[string]time.Duration{"90s": 90 * time.Second, "0": 0, "1h30m": 90 * time.Minute, "1.5s": 1500 * time.Millisecond} {
		if got, err := ParseDuration(s); err != nil || got != want {
			t.Errorf("%q: %v %v", s, got, err)
		}
	}
	for _, s := range []string{"", "5", "-3m", "-0s", "+3m", "3 m", "1d", "10000000h"} {
		if got, err := ParseDuration(s); err == nil {
			t.Errorf("%q is a duration: %v", s, got)
		}
	}
}

func TestParseZone(t *testing.T) {
	for s, want := range map[string]int{
		"UTC": 0, "Etc/UTC": 0, "GMT": 0, "GMT+08:00": 8 * 3600, "UTC-5": -5 * 3600, "+05:30": 5*3600 + 1800, "-0330": -3*3600 - 1800,
		"Asia/Tokyo": 9 * 3600,
	} {
		loc, err := ParseZone(s)
		if err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		if _, got := time.UnixMilli(0).In(loc).Zone(); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
	for _, s := range []string{"", "Local", "../etc/passwd", "Mars", "+25:00", "+24:03", "-1801", "UTC+19"} {
		if loc, err := ParseZone(s); err == nil {
			t.Errorf("%q is a zone: %v", s, loc)
		}
	}
}

func FuzzInstant(f *testing.F) {
	for _, s := range []string{"02:14", "+50m", "83%", "1795972192999", "2026-03-02T02:14:00Z", "worker:3@+5m"} {
		f.Add(s, int64(1_772_395_200_000), int64(36_000_000))
	}
	berlin := zone(f, "Europe/Berlin")
	f.Fuzz(func(t *testing.T, s string, start, length int64) {
		const far = 1 << 45 // ms: the year 3085
		if start < 0 || start > far || length < 0 || length > far {
			return
		}
		i, err := ParseInstant(s)
		if err != nil {
			return
		}
		run := Run{start, start + length, berlin}
		if got, err := i.Resolve(run); err == nil && (got < run.StartMs || got > run.EndMs) {
			t.Errorf("%q of %s is %d", s, run.span(), got)
		}
	})
}

func FuzzUnit(f *testing.F) {
	f.Add("worker:3@83%")
	f.Fuzz(func(t *testing.T, s string) {
		if u, err := ParseUnit(s); err == nil && u.String() != s {
			t.Errorf("%q reads as %q", s, u)
		}
		_, _ = ParseRemoval(s)
	})
}

// FuzzDuration: what is read is not negative and reads again as it is shown.
func FuzzDuration(f *testing.F) {
	for _, s := range []string{"90s", "1h30m", "0", "250ms", "1.5s", "-1s", "+1s", "2562047h47m16.854775807s", "1e9h", "µs"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var d Duration
		if d.Set(s) != nil {
			return
		}
		again, err := ParseDuration(d.String())
		if err != nil || again != time.Duration(d) || d < 0 {
			t.Errorf("%q: %s, again %s %v", s, d.String(), again, err)
		}
	})
}

// FuzzZone: a zone that is read can show a time.
func FuzzZone(f *testing.F) {
	for _, s := range []string{"UTC", "GMT+08:00", "-0330", "Asia/Tokyo", "+05:30", "../x", "GMT", "Local"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		loc, err := ParseZone(s)
		if err != nil {
			return
		}
		if _, offset := time.UnixMilli(0).In(loc).Zone(); offset < -18*3600 || offset > 18*3600 {
			t.Errorf("%q is %d s off", s, offset)
		}
	})
}
