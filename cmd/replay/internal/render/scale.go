package render

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Scaled is a value of a column as text shows it.
func Scaled(k Kind, v any, opt Options) string {
	v = plain(v)
	if v == nil {
		if opt.Null == "" {
			return "-"
		}
		return opt.Null
	}
	f, isNum := toFloat(v)
	if !isNum {
		return Safe(exact(v))
	}
	switch k {
	case Count:
		return count(v)
	case Duration:
		return Millis(f)
	case Instant:
		return instant(int64(f), opt.Zone)
	case Bytes:
		return Size(f)
	case Share:
		return fmt.Sprintf("%.1f %%", 100*f)
	}
	return exact(v)
}

func instant(ms int64, zone *time.Location) string {
	if zone == nil {
		zone = time.UTC
	}
	return time.UnixMilli(ms).In(zone).Format("2006-01-02 15:04:05.000")
}

// count groups the digits of an integer by threes.
func count(v any) string {
	n, ok := v.(int64)
	if !ok {
		return exact(v)
	}
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	var parts []string
	for len(s) > 3 {
		parts = append([]string{s[len(s)-3:]}, parts...)
		s = s[:len(s)-3]
	}
	return sign + strings.Join(append([]string{s}, parts...), ",")
}

// Number groups the digits of an integer by threes.
func Number(n int64) string { return count(n) }

type scale struct {
	below float64 // use the unit up to here
	per   float64
	unit  string
}

// Millis is a time in the unit that fits it.
func Millis(ms float64) string {
	return fit(ms, []scale{
		{1000, 1, "ms"},
		{120_000, 1000, "s"},
		{7_200_000, 60_000, "min"},
		{172_800_000, 3_600_000, "h"},
		{math.Inf(1), 86_400_000, "d"},
	})
}

// Size is a number of bytes in the unit that fits it.
func Size(bytes float64) string {
	return fit(bytes, []scale{
		{1 << 10, 1, "B"},
		{1 << 20, 1 << 10, "KiB"},
		{1 << 30, 1 << 20, "MiB"},
		{1 << 40, 1 << 30, "GiB"},
		{1 << 50, 1 << 40, "TiB"},
		{math.Inf(1), 1 << 50, "PiB"},
	})
}

// fit writes three or four digits: enough to compare, few enough to read.
func fit(v float64, scales []scale) string {
	i := 0
	for i < len(scales)-1 && math.Abs(v) >= scales[i].below {
		i++
	}
	s := scales[i]
	v /= s.per
	if v == math.Trunc(v) && s.per == 1 || math.Abs(v) >= 100 {
		return fmt.Sprintf("%.0f %s", v, s.unit)
	}
	return fmt.Sprintf("%.1f %s", v, s.unit)
}
