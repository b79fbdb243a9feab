// Package trigger knows when the micro-batches of a streaming query start: on
// the clock, at whole multiples of an interval, and at once where the batch
// before took too long. Package replay asks it which interval a log shows, and
// how many batches start late after one that was held up.
package trigger

// Batch is one batch in time, in ms. CommitMs is when it was over.
type Batch struct{ StartMs, CommitMs int64 }

// Next is the first moment at which the batch after one that started at start
// may start: the next multiple of the interval.
func Next(start, interval int64) int64 {
	if interval <= 0 {
		return start
	}
	return floorDiv(start, interval)*interval + interval
}

// Start is when the batch after one starts if there is something to do: on the
// clock, or at once when the batch before is over later than that.
func Start(before Batch, interval int64) int64 {
	return max(Next(before.StartMs, interval), before.CommitMs)
}

// IsLate tells whether the batch after one cannot start on the clock.
func IsLate(before Batch, interval int64) bool {
	return before.CommitMs > Next(before.StartMs, interval)
}

// Late is how many batches in a row start late after one that started at start
// and takes first ms, when the following ones take as long as next says, the
// last of them for all after it. It is -1 when more than most are late: the
// query does not catch up.
func Late(start, first int64, next []int64, interval int64, most int) int {
	b := Batch{start, start + first}
	for n := range most + 1 {
		if !IsLate(b, interval) {
			return n
		}
		at := Start(b, interval)
		takes := first
		if len(next) > 0 {
			takes = next[min(n, len(next)-1)]
		}
		b = Batch{at, at + takes}
	}
	return -1
}

// SeenLate is how many batches in a row did start late after the first of a
// list; ok is false when the list ends before the query had caught up.
func SeenLate(all []Batch, interval int64) (n int, ok bool) {
	for i := range all {
		if !IsLate(all[i], interval) {
			return i, true
		}
	}
	return len(all), false
}

// wakeMs is how late a batch that waited for the clock may be noted.
const wakeMs = 50

// Interval is the interval of the trigger that the batches of one run, in
// order, were started by: the longest of the usual ones that explains every
// start but one in ten, of which at least two waited for the clock. 0: none
// does, as when every batch starts as soon as the one before is over.
func Interval(all []Batch) int64 {
	candidates := usual()
	for i := len(candidates) - 1; i >= 0; i-- {
		if explains(all, candidates[i]) {
			return candidates[i]
		}
	}
	return 0
}

// usual are the intervals that people choose, ascending.
func usual() []int64 {
	out := []int64{100, 200, 250, 500}
	for _, unit := range []int64{1000, 60_000, 3_600_000} {
		for _, n := range []int64{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 45} {
			if n*unit > out[len(out)-1] {
				out = append(out, n*unit)
			}
		}
	}
	return out
}

// explains tells whether the starts are those of an interval. A batch for which
// there was nothing to read at its time starts at a later multiple.
func explains(all []Batch, interval int64) bool {
	waited, odd := 0, 0
	for i := 1; i < len(all); i++ {
		next := Next(all[i-1].StartMs, interval)
		past := all[i].StartMs - floorDiv(all[i].StartMs, interval)*interval
		switch {
		case all[i].StartMs >= next && past <= min(wakeMs, interval/10):
			if all[i].StartMs-all[i-1].CommitMs > wakeMs {
				waited++
			}
		case all[i-1].CommitMs >= next: // at once
		default:
			odd++
		}
	}
	return waited >= 2 && odd*10 <= len(all)-1
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
