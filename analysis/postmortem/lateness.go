package postmortem

import (
	"fmt"
	"math"
	"strings"

	"tracereplay/internal/human"
	"tracereplay/replay/result"
)

// Part is a share of a run's lateness.
type Part struct {
	Name string // detection, redo, narrower, other
	Ms   int64
}

// Lateness splits how much later a run ended than good runs of the same job.
// The parts add up to it:
//
//   - detection: slot time that hung on what was lost (attempts in flight, and
//     readers that waited for it), spread over the slots that were left;
//   - redo: slot time of second runs, spread likewise;
//   - narrower: the time with fewer slots than before, as far as slots were busy;
//   - other: the rest, which does not come from removals, or comes from work
//     that could not be spread.
//
// Worked example: 8 slots; a machine with 2 of them is lost at half of 80 s and
// does not come back. 12 s hung on it, 18 s ran again, slots were busy. Of the
// lateness, 12/6 = 2 s are detection, 18/6 = 3 s redo, 40 s * 2/8 = 10 s narrower.
func Lateness(removals []result.Removal, own []result.WorkerSpan, good [][]result.WorkerSpan) (late int64, parts []Part) {
	var mean float64
	for _, g := range good {
		mean += float64(makespan(g)) / float64(len(good))
	}
	late = makespan(own) - int64(math.Round(mean))
	first := int64(math.MaxInt64)
	var hung, redone int64
	for _, r := range removals {
		first = min(first, r.GoneLowMs.Or(r.DetectedMs))
		hung += r.InFlightMs + r.InterruptedMs
		redone += r.RerunMs - r.InFlightMs - r.InterruptedMs
	}
	if len(removals) == 0 {
		return late, []Part{{"detection", 0}, {"redo", 0}, {"narrower", 0}, {"other", late}}
	}
	w := widthAfter(own, first)
	detection, redo := spread(hung, w.mean), spread(redone, w.mean)
	narrower := int64(math.Round(w.missing * w.busy))
	return late, []Part{{"detection", detection}, {"redo", redo}, {"narrower", narrower}, {"other", late - detection - redo - narrower}}
}

func makespan(s []result.WorkerSpan) int64 {
	if len(s) == 0 {
		return 0
	}
	return s[0].LastMs - s[0].FirstMs
}

// width is how wide a run was from an instant on.
type width struct {
	mean    float64 // slots, in the mean
	missing float64 // ms: time times the share of slots that were missing
	busy    float64 // share of the slots' time that was used, over the whole run
}

// widthAfter compares the slots from an instant on with those just before it.
func widthAfter(s []result.WorkerSpan, at int64) width {
	if len(s) == 0 {
		return width{mean: 1}
	}
	last := s[0].LastMs
	var before, after, all, busy float64
	for _, w := range s {
		if w.FromMs < at && w.ToMs >= at {
			before += float64(w.Slots)
		}
		after += float64(w.Slots) * float64(max(0, w.ToMs-max(w.FromMs, at)))
		all += float64(w.Slots) * float64(max(0, w.ToMs-w.FromMs))
		busy += float64(w.BusyMs)
	}
	span := float64(last - at)
	if span <= 0 || before == 0 {
		return width{mean: max(before, 1)}
	}
	out := width{mean: max(after/span, 1), missing: max(0, span-after/before)}
	if all > 0 {
		out.busy = min(1, busy/all)
	}
	return out
}

func spread(slotMs int64, slots float64) int64 {
	return int64(math.Round(float64(slotMs) / max(slots, 1)))
}

// LatenessText says it in words.
func LatenessText(late int64, parts []Part, good int) string {
	if late <= 0 {
		return fmt.Sprintf("The run ended %s before the mean of %s.", human.Duration(-late), human.Counted(int64(good), "good run", "good runs"))
	}
	words := map[string]string{
		"detection": "hung on what was lost", "redo": "went into work run again", "narrower": "came from fewer slots", "other": "did not come from removals, or could not be spread",
	}
	text := make([]string, 0, len(parts))
	for _, p := range parts {
		text = append(text, human.Duration(p.Ms)+" "+words[p.Name])
	}
	return fmt.Sprintf("The run ended %s later than the mean of %s: %s. These are estimates that add up; the split takes work as evenly spread over the slots.",
		human.Duration(late), human.Counted(int64(good), "good run", "good runs"), strings.Join(text, ", "))
}
