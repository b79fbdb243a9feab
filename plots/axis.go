package plots

import (
	"math"
	"strconv"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// onTime makes the X axis of p the time of a, labelled where it is told to: of
// panels above one another only the lowest is.
func onTime(p *plot.Plot, a analysis.Axis, labelled bool) {
	p.X.Min, p.X.Max = float64(a.FromMs), float64(a.ToMs)
	ticks := clockTicks(a)
	if !labelled {
		for i := range ticks {
			ticks[i].Label = ""
		}
	} else {
		p.X.Label.Text = timeLabel(a)
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
}

func timeLabel(a analysis.Axis) string {
	day := a.Clock.Day(a.FromMs)
	if last := a.Clock.Day(a.ToMs); last != day {
		day += " to " + last
	}
	return "clock time, " + a.Clock.Zone() + " (" + day + ")"
}

// steps are distances between ticks that people count in, in ms.
func steps() []int64 {
	const s, m, h, d = 1000, 60_000, 3_600_000, 86_400_000
	return []int64{
		1, 2, 5, 10, 20, 50, 100, 200, 500, s, 2 * s, 5 * s, 10 * s, 15 * s, 30 * s, m, 2 * m, 5 * m, 10 * m, 15 * m, 30 * m,
		h, 2 * h, 3 * h, 6 * h, 12 * h, d, 2 * d, 7 * d, 14 * d, 28 * d, 91 * d, 364 * d, 3640 * d,
	}
}

const maxClockTicks = 9

// clockTicks are at round times of the axis's clock, counted from the midnight
// before it begins.
func clockTicks(a analysis.Axis) []plot.Tick {
	span := a.ToMs - a.FromMs
	var step int64
	for _, step = range steps() {
		if span/step < maxClockTicks {
			break
		}
	}
	start := a.Clock.At(a.FromMs)
	midnight := time.Date(start.Year(), start.Month(), start.Day(), 0, 0, 0, 0, start.Location()).UnixMilli()
	first := midnight + (a.FromMs-midnight+step-1)/step*step
	var out []plot.Tick
	for t := first; t <= a.ToMs && len(out) < 4*maxClockTicks; t += step {
		out = append(out, plot.Tick{Value: float64(t), Label: a.Clock.At(t).Format(tickLayout(step))})
	}
	return out
}

func tickLayout(step int64) string {
	switch {
	case step < 1000:
		return "15:04:05.000"
	case step < 60_000:
		return "15:04:05"
	case step < 86_400_000:
		return "15:04"
	default:
		return "Jan 2"
	}
}

// amount is a unit that an axis counts in: value / per.
type amount struct {
	per  float64
	name string
}

// durationUnit fits durations up to most.
func durationUnit(most float64) amount {
	for _, a := range []amount{{86_400_000, "days"}, {3_600_000, "hours"}, {60_000, "minutes"}, {1000, "seconds"}} {
		if most >= 2*a.per {
			return a
		}
	}
	return amount{1, "ms"}
}

// byteUnit fits sizes up to most.
func byteUnit(most float64) amount {
	names := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i, per := 0, 1.0
	for i+1 < len(names) && most >= 2*1024*per {
		i, per = i+1, per*1024
	}
	return amount{per, names[i]}
}

// onAmount makes an axis go from nothing to most, with round ticks in the unit.
func onAmount(axis *plot.Axis, most float64, u amount, count int) {
	if most <= 0 {
		most = u.per
	}
	step := roundStep(most / u.per / float64(count))
	axis.Min, axis.Max = 0, most
	var ticks []plot.Tick
	for i := 0; ; i++ {
		v := float64(i) * step
		if v*u.per > most*(1+1e-9) {
			break
		}
		ticks = append(ticks, plot.Tick{Value: v * u.per, Label: strconv.FormatFloat(v, 'f', decimals(step), 64)})
	}
	axis.Tick.Marker = plot.ConstantTicks(ticks)
}

// roundStep is the least of 1, 2, 5, 10, 20 ... that is not below v.
func roundStep(v float64) float64 {
	if v <= 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

func decimals(step float64) int {
	if step >= 1 {
		return 0
	}
	return int(math.Ceil(-math.Log10(step) - 1e-9))
}

// onShare makes an axis go from 0 to 100 %.
func onShare(axis *plot.Axis) {
	axis.Min, axis.Max = 0, 1
	var ticks []plot.Tick
	for i := 0; i <= 100; i += 25 {
		ticks = append(ticks, plot.Tick{Value: float64(i) / 100, Label: human.Share(float64(i) / 100)})
	}
	axis.Tick.Marker = plot.ConstantTicks(ticks)
}

// grid draws lines at the ticks of the Y axis, and of the X axis where asked.
type grid struct{ vertical bool }

func (g grid) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := stroke(Grid, 0.8)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		at := y(t.Value)
		c.StrokeLine2(style, c.Min.X, at, c.Max.X, at)
	}
	if !g.vertical {
		return
	}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		at := x(t.Value)
		c.StrokeLine2(style, at, c.Min.Y, at, c.Max.Y)
	}
}
