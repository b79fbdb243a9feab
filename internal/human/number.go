package human

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Count writes n with a comma at every third digit.
func Count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// Counted writes n with the word in the form that fits: "1 task", "3 tasks".
func Counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// Bytes writes a size in binary units with three digits.
func Bytes(n int64) string {
	if n < 1024 && n > -1024 {
		return fmt.Sprintf("%d B", n)
	}
	v := float64(n)
	for _, unit := range []string{"KiB", "MiB", "GiB", "TiB", "PiB"} {
		if v /= 1024; math.Abs(v) < 999.5 {
			return digits3(v) + " " + unit
		}
	}
	return digits3(v/1024) + " EiB"
}

// Share writes a part of one in percent. What is above nothing never reads as
// nothing, and what is below the whole never as the whole.
func Share(x float64) string {
	p := x * 100
	switch {
	case math.IsNaN(p) || math.IsInf(p, 0):
		return "-"
	case p > 0 && p < 0.1:
		return "< 0.1 %"
	case p < 10 && math.Abs(p-math.Round(p)) >= 0.05:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	case p > 99 && p < 100:
		return strconv.FormatFloat(math.Min(p, 99.9), 'f', 1, 64) + " %"
	default:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
}

// Number writes a plain quantity with three digits.
func Number(v float64) string {
	if math.Abs(v) >= 999.5 {
		return Count(int64(math.Round(v)))
	}
	return digits3(v)
}

// digits3 writes v (below 1000) with three significant digits, without the
// zeros that end a fraction.
func digits3(v float64) string {
	decimals := 2
	switch a := math.Abs(v); {
	case a >= 99.95:
		decimals = 0
	case a >= 9.995:
		decimals = 1
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
