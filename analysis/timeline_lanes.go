package analysis

import (
	"fmt"
	"strconv"

	"tracereplay/internal/human"
)

// timelineWidth is how many pixels the time of a timeline has, about.
const timelineWidth = 800

// seat is the room of one worker; when that is gone, a later one takes it.
type seat struct {
	lives []TimelineWorker
	slots int64
	lanes []TimelineLane
	ends  []int64 // when the last attempt of each lane ended
}

// packLanes puts the attempts of a place into lanes, one for each slot: a
// worker's side by side, so that the end of a worker is seen in them.
func packLanes(s TimelineSource, runs []TimelineRun, a Axis) []TimelineLane {
	var seats []*seat
	of := make(map[string]*seat)
	for _, w := range s.Workers {
		st := freeSeat(seats, w)
		if st == nil {
			st = &seat{slots: w.Slots}
			seats = append(seats, st)
		}
		st.lives = append(st.lives, w)
		of[w.Worker] = st
	}
	slack := max((a.ToMs-a.FromMs)/timelineWidth, 20)
	for _, r := range runs {
		if st := of[r.Worker]; st != nil {
			st.put(r, a, slack)
		}
	}
	var lanes []TimelineLane
	for _, st := range seats {
		for int64(len(st.lanes)) < st.slots && len(st.lanes) <= MaxTimelineLanes {
			st.lanes = append(st.lanes, TimelineLane{})
		}
		for i := range st.lanes {
			st.lanes[i].Lives = st.lives
		}
		if len(st.lanes) > 0 {
			st.lanes[len(st.lanes)-1].IsLast = true
		}
		lanes = append(lanes, st.lanes...)
	}
	return lanes
}

func freeSeat(seats []*seat, w TimelineWorker) *seat {
	for _, s := range seats {
		if s.slots == w.Slots && s.lives[len(s.lives)-1].ToMs <= w.FromMs {
			return s
		}
	}
	return nil
}

// put adds an attempt to the first lane that is free. The next attempt of a
// slot may be launched a little before the last one is reported finished.
func (s *seat) put(r TimelineRun, a Axis, slack int64) {
	i := 0
	for i < len(s.ends) && s.ends[i] > r.FromMs+slack {
		i++
	}
	if i == len(s.ends) {
		s.lanes, s.ends = append(s.lanes, TimelineLane{}), append(s.ends, 0)
	}
	s.ends[i] = max(s.ends[i], r.ToMs)
	s.lanes[i].add(r, a, slack)
}

// add adds a bar, or lengthens the last one: short attempts of a kind that
// follow each other are one bar.
func (l *TimelineLane) add(r TimelineRun, a Axis, pixel int64) {
	if n := len(l.Bars); n > 0 {
		last := &l.Bars[n-1]
		short := r.ToMs-r.FromMs < 2*pixel
		if short && last.What == r.What && r.FromMs-last.ToMs < pixel && (last.Tasks > 1 || last.ToMs-last.FromMs < 2*pixel) {
			last.ToMs = max(last.ToMs, r.ToMs)
			last.Tasks++
			last.Label = ""
			last.Words = []string{
				human.Counted(last.Tasks, "task", "tasks") + " of stages up to " + strconv.FormatInt(r.Stage, 10) + ", worker " + human.Cut(r.Worker, 40),
				a.Clock.Time(last.FromMs) + " to " + a.Clock.Time(last.ToMs),
			}
			return
		}
	}
	label := strconv.FormatInt(r.Stage, 10)
	if r.StageAttempt > 0 {
		label += fmt.Sprintf(".%d", r.StageAttempt)
	}
	l.Bars = append(l.Bars, TimelineBar{FromMs: r.FromMs, ToMs: r.ToMs, What: r.What, Label: label, Words: runWords(r, a), Tasks: 1})
}
