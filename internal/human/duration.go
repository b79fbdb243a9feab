package human

import (
	"fmt"
	"math"
)

const (
	second = 1000
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// Duration writes milliseconds in the one or two units that fit.
func Duration(ms int64) string {
	if ms == math.MinInt64 {
		ms++
	}
	if ms < 0 {
		return "-" + Duration(-ms)
	}
	switch {
	case ms < second:
		return fmt.Sprintf("%d ms", ms)
	case ms < minute-50:
		return digits3(float64(ms/10)/100) + " s"
	case ms < hour-500:
		return two((ms+500)/second, 60, "min", "s")
	case ms < day-minute/2:
		return two((ms+minute/2)/minute, 60, "h", "min")
	default:
		return two(ms/hour+(ms%hour)/(hour/2), 24, "d", "h")
	}
}

// two writes n small units as large ones and the rest: 125, 60 -> "2 min 05 s".
func two(n, per int64, large, small string) string {
	if n%per == 0 {
		return fmt.Sprintf("%s %s", Count(n/per), large)
	}
	return fmt.Sprintf("%s %s %02d %s", Count(n/per), large, n%per, small)
}
