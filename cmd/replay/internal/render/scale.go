package render

import (
	"math"
	"time"

	"tracereplay/internal/human"
)

// scaled is a value of a column as text shows it.
func scaled(k Kind, v any, opt Options) string {
	v = plain(v)
	if v == nil {
		if opt.Null == "" {
			return "-"
		}
		return opt.Null
	}
	f, isNum := toFloat(v)
	if !isNum || k == Plain {
		return Safe(exact(v))
	}
	switch k {
	case Duration:
		return human.Duration(int64(math.Round(f)))
	case Instant:
		return instant(int64(f), opt.Zone)
	case Bytes:
		return human.Bytes(int64(math.Round(f)))
	case Share:
		return human.Share(f)
	case Count:
		if n, ok := v.(int64); ok {
			return human.Count(n)
		}
	}
	return human.Number(f)
}

// instant has milliseconds, other than clock times for people: two rows of a
// table may lie in the same second.
func instant(ms int64, zone *time.Location) string {
	return human.ClockIn(zone).At(ms).Format("2006-01-02 15:04:05.000")
}
