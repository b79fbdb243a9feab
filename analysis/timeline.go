package analysis

import (
	"fmt"
	"slices"

	"tracereplay/internal/human"
	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// Timeline is what ran where, with the losses and what they made run again.
type Timeline struct {
	Axis   Axis
	Losses []LossSpan // those that cost something, the costliest first, then by time
	More   int        // of these, left out
	Places []TimelinePlace
	Total  int  // places that there are
	Lost   int  // places shown that a loss took
	Areas  bool // there are too many attempts for bars: Places have Busy in place of lanes
	Slots  float64
	Most   float64 // finished work on one place, at most
	Marks  []Mark
	Empty  string
}

// LossSpan is a removal in time: gone, noticed, repaired.
type LossSpan struct {
	Removal        int64
	Unit           string // as it is named
	GoneMs         int64  // not before this
	NoticedMs      int64
	FromMs, ToMs   int64 // of the repair
	Repaired       bool
	AgainMs, CutMs int64
	Words          []string
}

// TimelinePlace is one machine of a timeline.
type TimelinePlace struct {
	Name   string
	Label  string // Name without the domain that all share
	Kind   string
	Lost   string // Machine: it was lost; Worker: a worker on it was; ""
	Tasks  int64
	Lanes  []TimelineLane
	Busy   []TimelineStep // slots, in the mean over each step
	Banked []BankedStep
	Slots  int64 // most that were there at once
}

// TimelineLane is one slot.
type TimelineLane struct {
	Lives  []TimelineWorker // workers that had it, in order of time
	Bars   []TimelineBar
	IsLast bool // of its workers' lanes
}

// TimelineBar is an attempt, or several short ones of a kind side by side.
type TimelineBar struct {
	FromMs, ToMs int64
	What         string
	Label        string
	Words        []string
	Tasks        int64
}

// TimelineStep is how many slots were busy in a bin.
type TimelineStep struct {
	FromMs, ToMs              int64
	First, Again, Cut, Failed float64
}

// BankedStep is the finished work on a place in a bin, in slot ms.
type BankedStep struct {
	FromMs, ToMs int64
	Needed, Done float64
}

func timeline(in *Inputs) Timeline {
	t := Timeline{Axis: axis(in), Marks: marks(in)}
	if in.Timeline == nil || len(in.Timeline.Places) == 0 {
		t.Empty = "No worker is known to have lived in this time."
		return t
	}
	t.Losses, t.More = lossSpans(in)
	t.Total = in.Timeline.Total
	t.lay(in)
	t.bank(in.Timeline)
	names := make([]string, len(t.Places))
	for i, p := range t.Places {
		names[i] = p.Name
	}
	short := shortNames(names)
	for i, p := range t.Places {
		t.Places[i].Label = short(p.Name)
		if p.Lost != "" {
			t.Lost++
		}
		t.Slots = max(t.Slots, float64(p.Slots))
		for _, s := range p.Busy {
			t.Slots = max(t.Slots, s.First+s.Again+s.Cut+s.Failed)
		}
		for _, s := range p.Banked {
			t.Most = max(t.Most, s.Needed+s.Done)
		}
	}
	return t
}

// lay picks the places that find room, as bars where these are not too many.
// Places that were lost come first, the others in order of their names.
func (t *Timeline) lay(in *Inputs) {
	src := in.Timeline
	runs := make(map[string][]TimelineRun)
	for _, r := range src.Attempts {
		runs[r.Place] = append(runs[r.Place], r)
	}
	lanes, bars := 0, 0
	for _, s := range src.Places {
		p := placeOf(s)
		p.Lanes = packLanes(s, runs[s.Name], t.Axis)
		lanes += len(p.Lanes)
		for _, l := range p.Lanes {
			bars += len(l.Bars)
		}
		if lanes > MaxTimelineLanes || bars > MaxTimelineBars {
			break
		}
		t.Places = append(t.Places, p)
	}
	if len(t.Places) < min(4, len(src.Places)) || src.Attempts == nil {
		t.layAreas(src)
	}
	slices.SortStableFunc(t.Places, func(a, b TimelinePlace) int {
		if lostA, lostB := a.Lost != "", b.Lost != ""; lostA != lostB {
			if lostA {
				return -1
			}
			return 1
		}
		return human.Compare(a.Name, b.Name)
	})
}

func placeOf(s TimelineSource) TimelinePlace {
	p := TimelinePlace{Name: s.Name, Kind: Machine, Lost: s.Lost, Tasks: s.Tasks, Slots: mostSlots(s.Workers)}
	if s.IsWorker {
		p.Kind = Worker
	}
	return p
}

// mostSlots is how many slots live workers had at once, at most.
func mostSlots(workers []TimelineWorker) (most int64) {
	for _, w := range workers {
		var n int64
		for _, v := range workers {
			if v.FromMs <= w.FromMs && v.ToMs > w.FromMs {
				n += v.Slots
			}
		}
		most = max(most, n)
	}
	return most
}

func (t *Timeline) layAreas(src *TimelineInputs) {
	t.Areas, t.Places = true, nil
	b := binsOf(t.Axis, src.Bins)
	at := make(map[string]int)
	for _, s := range src.Places {
		at[s.Name] = len(t.Places)
		p := placeOf(s)
		p.Busy = make([]TimelineStep, src.Bins)
		for i := range p.Busy {
			p.Busy[i].FromMs, p.Busy[i].ToMs = b.edge(int64(i)), b.edge(int64(i)+1)
		}
		t.Places = append(t.Places, p)
	}
	for _, x := range src.Busy {
		i, ok := at[x.Place]
		if !ok || x.Bin < 0 || x.Bin >= src.Bins {
			continue
		}
		s := &t.Places[i].Busy[x.Bin]
		switch x.What {
		case RanAgain:
			s.Again += x.Slots
		case RanCut:
			s.Cut += x.Slots
		case RanFailed:
			s.Failed += x.Slots
		default:
			s.First += x.Slots
		}
	}
}

// timeBins divide an axis.
type timeBins struct{ from, to, n int64 }

func binsOf(a Axis, n int64) timeBins { return timeBins{a.FromMs, a.ToMs, max(n, 1)} }

func (b timeBins) edge(i int64) int64 { return b.from + (b.to-b.from)*i/b.n }

func (t *Timeline) bank(src *TimelineInputs) {
	b := binsOf(t.Axis, src.Bins)
	at := make(map[string]int)
	for i, p := range t.Places {
		at[p.Name] = i
	}
	for _, x := range src.Banked {
		if i, ok := at[x.Place]; ok {
			t.Places[i].Banked = append(t.Places[i].Banked, BankedStep{b.edge(x.Bin), b.edge(x.Bin + 1), x.Needed, x.Done})
		}
	}
}

// lossSpans are the removals that cost something, those that find room in
// order of time.
func lossSpans(in *Inputs) (spans []LossSpan, more int) {
	var costly []result.Removal
	for _, r := range in.Removals {
		if destroyed(r) || r.RerunMs > 0 {
			costly = append(costly, r)
		}
	}
	slices.SortStableFunc(costly, compareRemovals)
	if len(costly) > maxTimelineLosses {
		more = len(costly) - maxTimelineLosses
		costly = costly[:maxTimelineLosses]
	}
	slices.SortStableFunc(costly, func(a, b result.Removal) int { return int(min(1, max(-1, goneBy(a)-goneBy(b)))) })
	for _, r := range costly {
		spans = append(spans, lossSpan(r, in.Clock))
	}
	return spans, more
}

func lossSpan(r result.Removal, c human.Clock) LossSpan {
	s := LossSpan{
		Removal: r.Removal, Unit: named(r.UnitKind) + r.Unit, GoneMs: min(r.GoneLowMs.Or(r.NoticedMs), r.NoticedMs), NoticedMs: r.NoticedMs,
		AgainMs: againMs(r), CutMs: r.RerunMs - againMs(r),
	}
	s.Words = []string{removalWords(r, c), "noticed at most " + human.Duration(s.NoticedMs-s.GoneMs) + " after it was gone"}
	if r.RepairBeginMs.OK && r.RepairEndMs.OK {
		s.Repaired, s.FromMs, s.ToMs = true, max(r.RepairBeginMs.V, s.NoticedMs), r.RepairEndMs.V
		s.ToMs = max(s.ToMs, s.FromMs)
		s.Words = append(s.Words, fmt.Sprintf("repair %s to %s: %s again in %s of slot time, %s cut off", c.Time(s.FromMs), c.Time(s.ToMs),
			human.Counted(r.PiecesAgain, "finished piece", "finished pieces"), human.Duration(s.AgainMs), human.Duration(s.CutMs)))
	} else {
		s.Words = append(s.Words, "nothing of it ran again before the log ends")
	}
	return s
}

// runWords tell an attempt.
func runWords(r TimelineRun, a Axis) []string {
	title := fmt.Sprintf("stage %d", r.Stage)
	if r.StageAttempt > 0 {
		title += fmt.Sprintf(".%d", r.StageAttempt)
	}
	if r.Partition.OK {
		title += fmt.Sprintf(", piece %d", r.Partition.V)
	}
	title += fmt.Sprintf(", task %d, worker %s", r.Task, human.Cut(r.Worker, 40))
	words := []string{title, a.Clock.Time(r.FromMs) + " to " + a.Clock.Time(r.ToMs) + ", " + human.Duration(r.ToMs-r.FromMs)}
	if s := whatWords(r); s != "" {
		words = append(words, s)
	}
	return words
}

func whatWords(r TimelineRun) string {
	s := ""
	switch {
	case r.What == RanCut:
		s = "cut off before it was done"
	case r.What == RanFailed:
		s = human.Cut(r.EndState, 40)
	case r.What == RanAgain:
		s = "finished work run again (" + r.Why + ")"
	case r.Why == "speculation":
		return "copy of a slow attempt"
	case r.Why != "":
		s = "tries again what was cut off"
	}
	return s + because(r.Removal)
}

func because(removal table.I64) string {
	if !removal.OK {
		return ""
	}
	return fmt.Sprintf(", because of removal %d", removal.V)
}
