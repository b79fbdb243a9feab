package policies

import (
	"cmp"
	"fmt"
	"slices"

	"tracereplay/internal/human"
	"tracereplay/replay/result"
)

// AllIdle adds up the curves of an application's workers.
func AllIdle(curve []result.Idle) []result.Idle {
	sums := map[int64]*result.Idle{}
	for i := range curve {
		r := &curve[i]
		s := sums[r.AfterMs]
		if s == nil {
			s = &result.Idle{App: r.App, AfterMs: r.AfterMs}
			sums[r.AfterMs] = s
		}
		s.Releases += r.Releases
		s.SavedMs += r.SavedMs
		s.StoodOutputs += r.StoodOutputs
		s.StoodMs += r.StoodMs
		s.StrandedOutputs += r.StrandedOutputs
		s.StrandedMs += r.StrandedMs
	}
	out := make([]result.Idle, 0, len(sums))
	for _, s := range sums {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b result.Idle) int { return cmp.Compare(a.AfterMs, b.AfterMs) })
	return out
}

// Crossing is the least time of idleness from which on releasing saves at least
// what it strands; ok is false when there is none. The curve is in order.
func Crossing(total []result.Idle) (afterMs int64, ok bool) {
	for i := len(total) - 1; i >= 0; i-- {
		if total[i].SavedMs < total[i].StrandedMs {
			break
		}
		afterMs, ok = total[i].AfterMs, true
	}
	return afterMs, ok
}

// IdleSentence says what the curve comes to.
func IdleSentence(total []result.Idle) string {
	if len(total) == 0 {
		return "No worker was ever without a task."
	}
	last := total[len(total)-1]
	best := slices.MaxFunc(total, func(a, b result.Idle) int {
		return cmp.Or(cmp.Compare(a.SavedMs-a.StrandedMs, b.SavedMs-b.StrandedMs), cmp.Compare(b.AfterMs, a.AfterMs))
	})
	text := ""
	after, ok := Crossing(total)
	switch {
	case !ok:
		text = fmt.Sprintf("At no idle time up to %s does releasing save what it strands.", human.Duration(last.AfterMs))
	case after == total[0].AfterMs:
		text = "At every idle time releasing saves at least what it strands."
	default:
		text = fmt.Sprintf("From an idle time of %s on releasing saves at least what it strands; below, more is stranded.", human.Duration(after))
	}
	if best.SavedMs > best.StrandedMs {
		text += fmt.Sprintf(" Best is %s: %s of slot time saved, %s to make again of what was still needed.",
			human.Duration(best.AfterMs), human.Duration(best.SavedMs), human.Duration(best.StrandedMs))
	}
	return text + " What must be made again first, to make again what went, is not counted, nor the time that a worker takes to come back."
}
