package plots

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// Timeline draws what ran where: a lane for each slot, finished work that stood
// there below them, and the losses with their repair above.
func Timeline(t analysis.Timeline) Figure {
	f := Figure{Name: "timeline", Title: "What ran where, and what ran again", Note: timelineNote(t), Empty: t.Empty, Full: map[string]string{}}
	if f.Empty != "" {
		return f
	}
	f.Key = timelineKey(t)
	if len(t.Losses) > 0 {
		f.Panels = append(f.Panels, lossPanel(t, f.Full))
	}
	height := timelineLane(t)
	for i, p := range t.Places {
		f.Panels = append(f.Panels, placePanel(t, p, height, len(t.Losses) == 0 && i == 0, f.Full))
	}
	last := &f.Panels[len(f.Panels)-1]
	onTime(last.Plot, t.Axis, true)
	last.Height += axisHeight - 4
	return f
}

func timelineNote(t analysis.Timeline) string {
	note := "each bar an attempt, labelled stage.attempt; gaps in a lane are waiting"
	if t.Areas {
		note = fmt.Sprintf("too many attempts for bars: slots that were busy, in the mean (full height: %s slots)", human.Count(int64(t.Slots+0.5)))
	}
	if t.Most > 0 {
		note += fmt.Sprintf("; below each: finished work that stands there (full height: %s of slot time)", human.Duration(int64(t.Most+0.5)))
	}
	if left := t.Total - len(t.Places); left > 0 {
		note += fmt.Sprintf("; %s of %s shown, lost ones first", human.Count(int64(len(t.Places))), human.Count(int64(t.Total)))
	}
	if t.More > 0 {
		note += "; " + human.Counted(int64(t.More), "cheaper loss is", "cheaper losses are") + " not named"
	}
	return note
}

// timelineKey has what occurs.
func timelineKey(t analysis.Timeline) []Entry {
	there := map[string]bool{}
	for _, p := range t.Places {
		for _, l := range p.Lanes {
			for _, b := range l.Bars {
				there[b.What] = true
			}
		}
		for _, s := range p.Busy {
			there[analysis.RanAgain] = there[analysis.RanAgain] || s.Again > 0
			there[analysis.RanCut] = there[analysis.RanCut] || s.Cut > 0
			there[analysis.RanFailed] = there[analysis.RanFailed] || s.Failed > 0
		}
	}
	key := []Entry{{FirstRun, Box, "first run"}}
	cut := Frame
	if t.Areas {
		cut = Box
	}
	if there[analysis.RanAgain] {
		key = append(key, Entry{Rerun, Box, "finished work run again"})
	}
	if there[analysis.RanCut] {
		key = append(key, Entry{Removal, cut, "cut off by a loss"})
	}
	if there[analysis.RanFailed] {
		key = append(key, Entry{Muted, cut, "failed or killed"})
	}
	key = append(key, Entry{Hatched, Hatch, "no worker"}, Entry{Owed, Box, "stands, still to be read"}, Entry{Done, Box, "stands, read by all"})
	return key
}

const (
	bankedHeight  = 26
	areaHeight    = 30
	placeGap      = 7
	timelineRoom  = 520 // pixels that the lanes of all places share
	maxLaneHeight = 14
	minLaneHeight = 5
)

// timelineLane is how high a lane is, so that all find room.
func timelineLane(t analysis.Timeline) vg.Length {
	lanes := 0
	for _, p := range t.Places {
		lanes += len(p.Lanes)
	}
	return vg.Length(min(maxLaneHeight, max(minLaneHeight, timelineRoom/max(lanes, 1))))
}

func placePanel(t analysis.Timeline, p analysis.TimelinePlace, lane vg.Length, named bool, full map[string]string) Panel {
	height := vg.Length(len(p.Lanes)) * lane
	if t.Areas {
		height = areaHeight
	}
	height = max(height, 16)
	pl := newPlot()
	onRows(pl, []rowLabel{{"", ""}}, full)
	onTime(pl, t.Axis, false)
	pl.Add(placeRows{t, p, lane, full}, removals{t.Marks, named, ""})
	panel := Panel{Plot: pl, Height: height + bankedHeight + placeGap + 4}
	if named {
		panel.Top = nameRoom
		panel.Height += nameRoom
	}
	return panel
}

// placeRows draws one place: its name, lanes or areas, and what stood there.
type placeRows struct {
	analysis.Timeline
	place analysis.TimelinePlace
	lane  vg.Length
	full  map[string]string
}

func (r placeRows) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	foot := c.Min.Y + bankedHeight
	r.name(c, (c.Max.Y+foot)/2)
	if r.Areas {
		r.areas(c, x, foot+1, c.Max.Y-placeGap/2)
	} else {
		for i, l := range r.place.Lanes {
			top := c.Max.Y - placeGap/2 - vg.Length(i)*r.lane
			r.drawLane(c, x, l, top, top-r.lane)
		}
	}
	r.banked(c, x, c.Min.Y+1, foot-2)
	c.StrokeLine2(stroke(Grid, 1), c.Min.X, c.Min.Y, c.Max.X, c.Min.Y)
}

// name writes the place's name at the left, and below it what was lost.
func (r placeRows) name(c draw.Canvas, at vg.Length) {
	style := words(Ink, smallSize, text.XRight, text.YCenter)
	lost := map[string]string{analysis.Machine: "lost", analysis.Worker: "a worker lost"}[r.place.Lost]
	if lost != "" {
		style.Color = Removal
		small := words(Removal, smallSize-1, text.XRight, text.YCenter)
		c.FillText(small, vg.Point{X: c.Min.X - 7, Y: middle(small, at-7, at-7)}, lost)
		at += 6
	}
	short := fit(human.CutMiddle(human.Clean(r.place.Label), 60), style, leftMargin-14)
	if r.place.Name != short {
		r.full[short] = r.place.Kind + " " + r.place.Name
	}
	c.FillText(style, vg.Point{X: c.Min.X - 7, Y: middle(style, at, at)}, short)
}

func (r placeRows) drawLane(c draw.Canvas, x func(float64) vg.Length, l analysis.TimelineLane, top, bottom vg.Length) {
	gap := vg.Length(0.8)
	from := r.Axis.FromMs
	for _, w := range l.Lives { // where no worker is, nothing could run
		r.hatch(c, x, from, w.FromMs, top, bottom)
		from = max(from, w.ToMs)
		if x0, x1 := cellEdges(c, x, w.FromMs, w.ToMs); x1 > x0 {
			c.StrokeLine2(stroke(Grid, 0.8), x0, (top+bottom)/2, x1, (top+bottom)/2)
			hoverArea(c, x0, bottom, x1, top, "worker "+human.Cut(w.Worker, 60)+": waiting", r.Axis.Clock.Time(w.FromMs)+" to "+r.Axis.Clock.Time(w.ToMs))
		}
	}
	r.hatch(c, x, from, r.Axis.ToMs, top, bottom)
	for _, b := range l.Bars {
		drawRun(c, x, b, top-gap, bottom+gap)
	}
}

// hatch strikes out a time in which a lane had no worker.
func (r placeRows) hatch(c draw.Canvas, x func(float64) vg.Length, from, to int64, top, bottom vg.Length) {
	x0, x1 := cellEdges(c, x, max(from, r.Axis.FromMs), to)
	if to <= from || x1-x0 < 2 {
		return
	}
	fillRect(c, Void, x0, bottom, x1, top)
	hatchRect(c, x0, bottom, x1, top, 9)
}

// hatchRect draws slanted lines, all in one path.
func hatchRect(c draw.Canvas, x0, y0, x1, y1, step vg.Length) {
	slant := y1 - y0
	var path vg.Path
	first := vg.Length(int(x0/step)) * step
	for at := first; at < x1; at += step {
		from, to := vg.Point{X: at, Y: y0}, vg.Point{X: at + slant, Y: y1}
		if from.X < x0 {
			from.Y += x0 - from.X
			from.X = x0
		}
		if to.X > x1 {
			to.Y -= to.X - x1
			to.X = x1
		}
		if from.X >= to.X {
			continue
		}
		path.Move(from)
		path.Line(to)
	}
	c.SetLineStyle(stroke(Hatched, 0.8))
	c.Stroke(path)
}

// drawRun draws an attempt: a first run flat, one that ran again strong and
// with an edge, one that was cut off hollow, so that colour is not needed.
func drawRun(c draw.Canvas, x func(float64) vg.Length, b analysis.TimelineBar, top, bottom vg.Length) {
	x0, x1 := cellEdges(c, x, b.FromMs, b.ToMs)
	if x0 >= c.Max.X || x1 <= c.Min.X && b.ToMs > b.FromMs {
		return
	}
	if x1-x0 > 3 {
		x1 -= 0.8 // bars that follow each other are two
	}
	x1 = max(x1, x0+1)
	fill, ink := FirstRun, Paper
	var edge Tone
	switch b.What {
	case analysis.RanAgain:
		fill, edge = Rerun, Ink
	case analysis.RanCut:
		fill, ink, edge = Paper, Removal, Removal
	case analysis.RanFailed:
		fill, ink, edge = Paper, Muted, Muted
	}
	hover(c, b.Words...)
	fillRect(c, fill, x0, bottom, x1, top)
	if edge != Paper && x1-x0 >= 2 {
		strokeRect(c, stroke(edge, 1), x0+0.5, bottom+0.5, x1-0.5, top-0.5)
	} else if edge != Paper {
		fillRect(c, edge, x0, bottom, x1, top)
	}
	size := min(smallSize-1, top-bottom-1)
	if size < 7 || b.Label == "" {
		return
	}
	style := words(ink, size, text.XLeft, text.YCenter)
	if style.Width(b.Label)+5 < x1-x0 {
		c.FillText(style, vg.Point{X: x0 + 3, Y: middle(style, top, bottom)}, b.Label)
	}
}

// areas draws the slots that were busy, in the mean, stacked.
func (r placeRows) areas(c draw.Canvas, x func(float64) vg.Length, bottom, top vg.Length) {
	l := layers{tones: []Tone{FirstRun, Rerun, Removal, Muted}}
	for _, s := range r.place.Busy {
		l.bins = append(l.bins, layerBin{float64(s.FromMs), float64(s.ToMs), []float64{s.First, s.Again, s.Cut, s.Failed}})
	}
	drawLayers(c, x, l, r.Slots, bottom, top)
	for _, s := range r.place.Busy {
		if s.Again+s.Cut <= 0 {
			continue
		}
		if x0, x1 := cellEdges(c, x, s.FromMs, s.ToMs); x1 > x0 {
			hoverArea(c, x0, bottom, x1, top, r.place.Kind+" "+human.Cut(r.place.Name, 60)+", "+r.Axis.Clock.Time(s.FromMs)+" to "+r.Axis.Clock.Time(s.ToMs),
				"busy slots: "+human.Number(s.First)+" first runs, "+human.Number(s.Again)+" run again, "+human.Number(s.Cut)+" cut off")
		}
	}
}

// banked draws the finished work that stood there.
func (r placeRows) banked(c draw.Canvas, x func(float64) vg.Length, bottom, top vg.Length) {
	l := layers{tones: []Tone{Owed, Done}}
	var most analysis.BankedStep
	for _, s := range r.place.Banked {
		l.bins = append(l.bins, layerBin{float64(s.FromMs), float64(s.ToMs), []float64{s.Needed, s.Done}})
		if s.Needed > most.Needed {
			most = s
		}
	}
	drawLayers(c, x, l, r.Most, bottom, top)
	if most.Needed > 0 {
		hoverArea(c, c.Min.X, bottom, c.Max.X, top, r.place.Kind+" "+human.Cut(r.place.Name, 60)+": finished work that stands there",
			"most still to be read: "+human.Duration(int64(most.Needed+0.5))+" of slot time at "+r.Axis.Clock.Time(most.FromMs))
	}
}

// drawLayers draws stacked steps between two heights.
func drawLayers(c draw.Canvas, x func(float64) vg.Length, l layers, most float64, bottom, top vg.Length) {
	if most <= 0 {
		return
	}
	y := func(v float64) vg.Length { return bottom + (top-bottom)*vg.Length(v/most) }
	s := stack{l}
	below := make([]float64, len(l.bins))
	for i, tone := range l.tones {
		above := make([]float64, len(l.bins))
		there := false
		for j, b := range l.bins {
			above[j] = below[j] + b.values[i]
			there = there || b.values[i] > 0
		}
		if there {
			s.fillLayer(c, x, y, tone, below, above)
		}
		below = above
	}
}

const lossRow = 17

// lossPanel draws, for each loss, how long it lay unnoticed and its repair.
func lossPanel(t analysis.Timeline, full map[string]string) Panel {
	p := newPlot()
	labels := make([]rowLabel, len(t.Losses))
	for i, l := range t.Losses {
		text := fmt.Sprintf("[%d] %s", l.Removal, human.CutMiddle(human.Clean(l.Unit), 60))
		labels[i] = rowLabel{text, text}
	}
	onRows(p, labels, full)
	onTime(p, t.Axis, false)
	p.Add(lossRows(t.Losses), removals{t.Marks, true, ""}, lossWords(t.Losses))
	return Panel{Plot: p, Height: vg.Length(len(t.Losses)*lossRow) + nameRoom + 8, Top: nameRoom}
}

type lossRows []analysis.LossSpan

type lossSpan struct{ analysis.LossSpan }

func (l lossRows) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, s := range l {
		top, bottom := rowEdges(y, len(l), i)
		lossSpan{s}.drawOn(c, x, top-3, bottom+3)
	}
}

// drawOn draws a loss: dashed while nobody knew, a thin line until the repair
// began, then solid.
func (s lossSpan) drawOn(c draw.Canvas, x func(float64) vg.Length, top, bottom vg.Length) {
	mid := (top + bottom) / 2
	gone, noticed := cellEdges(c, x, s.GoneMs, s.NoticedMs)
	c.StrokeLine2(stroke(Removal, 1.6, 3, 2), gone, mid, noticed, mid)
	if !s.Repaired {
		hoverArea(c, gone-4, bottom, max(noticed, gone+6), top, s.Words...)
		return
	}
	from, to := wide(c, x, s.FromMs, s.ToMs)
	c.StrokeLine2(stroke(Removal, 1.6), noticed, mid, from, mid)
	tone := Rerun
	if s.AgainMs == 0 { // nothing that had been finished
		tone = FirstRun
	}
	hover(c, s.Words...)
	fillRect(c, tone, from, bottom, to, top)
	strokeRect(c, stroke(Ink, 1), from+0.5, bottom+0.5, to-0.5, top-0.5)
}

// lossWords tell the repairs in words, beside their bars, over the lines of
// other losses.
type lossWords []analysis.LossSpan

func (l lossWords) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := words(Ink, smallSize-1, text.XLeft, text.YCenter)
	for i, s := range l {
		top, bottom := rowEdges(y, len(l), i)
		told := "nothing of it ran again"
		from, _ := cellEdges(c, x, s.GoneMs, s.NoticedMs)
		_, to := cellEdges(c, x, s.NoticedMs, s.NoticedMs)
		if s.Repaired {
			_, to = wide(c, x, s.FromMs, s.ToMs)
			told = human.Duration(s.CutMs) + " cut off, tried again within " + human.Duration(s.ToMs-s.NoticedMs)
		}
		if s.Repaired && s.AgainMs > 0 {
			told = "repair took " + human.Duration(s.ToMs-s.FromMs) + ": " + human.Duration(s.AgainMs) + " of finished work again, " + human.Duration(s.CutMs) + " cut off"
		}
		width := style.Width(told)
		at := to + 8
		if at+width > c.Max.X {
			at = max(from-10-width, c.Min.X+2)
		}
		onPaper(c, style, vg.Point{X: at, Y: middle(style, top, bottom)}, told)
	}
}

// onPaper writes text that lines behind it do not cross.
func onPaper(c draw.Canvas, style text.Style, at vg.Point, s string) {
	fillRect(c, Paper, at.X-3, at.Y-3, at.X+style.Width(s)+3, at.Y+style.Font.Size-2)
	c.FillText(style, at, s)
}
