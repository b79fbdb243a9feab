package human_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"tracereplay/internal/human"
)

func TestDuration(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "0 ms", 999: "999 ms", 1000: "1 s", 1234: "1.23 s", 12_345: "12.3 s", 59_940: "59.9 s", 59_960: "1 min",
		60_000: "1 min", 65_000: "1 min 05 s", 3_599_400: "59 min 59 s", 3_599_600: "1 h", 7_530_000: "2 h 06 min",
		86_400_000: "1 d", 90_000_000: "1 d 01 h", -1500: "-1.5 s", math.MinInt64: "-106,751,991,167 d 07 h",
	} {
		if got := human.Duration(ms); got != want {
			t.Errorf("Duration(%d) = %q, want %q", ms, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{human.Count(0), "0"},
		{human.Count(999), "999"},
		{human.Count(-1234567), "-1,234,567"},
		{human.Counted(1, "task", "tasks"), "1 task"},
		{human.Counted(1200, "task", "tasks"), "1,200 tasks"},
		{human.Bytes(1023), "1023 B"},
		{human.Bytes(1024), "1 KiB"},
		{human.Bytes(1_610_612_736), "1.5 GiB"},
		{human.Bytes(1_048_000), "1 MiB"},
		{human.Bytes(math.MaxInt64), "8 EiB"},
		{human.Share(0), "0 %"},
		{human.Share(0.0001), "< 0.1 %"},
		{human.Share(0.0423), "4.2 %"},
		{human.Share(0.05), "5 %"},
		{human.Share(0.423), "42 %"},
		{human.Share(0.9999), "99.9 %"},
		{human.Share(1), "100 %"},
		{human.Share(math.NaN()), "-"},
		{human.Number(0.126), "0.13"},
		{human.Number(12), "12"},
		{human.Number(123456.7), "123,457"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestClock(t *testing.T) {
	const ms = 1795987661744 // 2026-11-29 21:27:41.744 UTC
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		clock human.Clock
		want  string
	}{
		{human.Clock{}, "2026-11-29 21:27:41 UTC"},
		{human.ClockIn(berlin), "2026-11-29 22:27:41 Europe/Berlin"},
		{human.ClockIn(time.FixedZone("GMT-08:00", -8*3600)), "2026-11-29 13:27:41 GMT-08:00"},
	} {
		if got := c.clock.Full(ms); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	c := human.Clock{}
	if got, want := c.Within(ms, ms+1000).Moment(ms), "21:27:41 UTC"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := c.Within(ms, ms+24*3600_000).Moment(ms), "2026-11-29 21:27:41 UTC"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := c.Range(ms, ms+60_000), "2026-11-29 21:27:41 to 21:28:41 UTC"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := c.Range(ms, ms+4*3600_000), "2026-11-29 21:27:41 to 2026-11-30 01:27:41 UTC"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain name":            "plain name",
		"a\nb\r\tc":             "a b  c",
		"esc\x1b[31m":           "esc␛[31m",
		"nul\x00":               "nul␀",
		"bad\xff":               "bad\ufffd",
		"rtl\u202eevil":         "rtl\ufffdevil",
		"zero\u200bwidth":       "zero\ufffdwidth",
		"c1\u009b":              "c1\ufffd",
		"größe 日本":              "größe 日本",
		"no\uffffchar":          "no\ufffdchar",
		"wide\u3000space\u00a0": "wide space ",
	} {
		if got := human.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	if got := human.Cut("abcdef", 6); got != "abcdef" {
		t.Errorf("got %q", got)
	}
	if got := human.Cut("abcdefg", 6); got != "abcde…" {
		t.Errorf("got %q", got)
	}
	if got := human.CutMiddle("ip-10-20-30-40.internal", 11); got != "ip-10…ernal" {
		t.Errorf("got %q", got)
	}
	if got := human.Cut(strings.Repeat("é", 1<<20), 3); got != "éé…" {
		t.Errorf("got %q", got)
	}
}

func TestCompare(t *testing.T) {
	names := []string{"m10", "m2", "m1", "m01", "a", "m2b", "m", "10", "9", ""}
	slices.SortFunc(names, human.Compare)
	if got, want := strings.Join(names, " "), " 9 10 a m m01 m1 m2 m2b m10"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
