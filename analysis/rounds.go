package analysis

import (
	"fmt"

	"tracereplay/internal/human"
)

// MaxLanes bounds how many bars stand above one another.
const MaxLanes = 40

// Rounds are stages and jobs over time.
type Rounds struct {
	Axis                 Axis
	Jobs                 []Lane
	Stages               []Lane
	Shown                int // stages
	Total                int
	JobsShown, JobsTotal int
	Marks                []Mark
	Empty                string
}

// Lane holds bars that do not overlap.
type Lane []Bar

// Bar is one job or stage attempt.
type Bar struct {
	FromMs, ToMs int64
	Label        string // what fits beside it
	Full         []string
	Rerun        float64 // part of its tasks that ran again what had succeeded before
	IsFailed     bool
	IsCut        bool
}

func rounds(in *Inputs) Rounds {
	r := Rounds{Axis: axis(in), Total: len(in.Stages), Marks: marks(in)}
	if r.Total == 0 {
		r.Empty = "No stage is in the log."
		return r
	}
	var jobs, stages []Bar
	for _, j := range in.Jobs {
		jobs = append(jobs, jobBar(j))
	}
	for _, s := range in.Stages {
		stages = append(stages, stageBar(s))
	}
	r.Jobs, r.JobsShown = pack(jobs, maxJobLanes)
	r.JobsTotal = len(jobs)
	r.Stages, r.Shown = pack(stages, MaxLanes)
	return r
}

const maxJobLanes = 6

func jobBar(j Job) Bar {
	full := []string{fmt.Sprintf("job %d: %s", j.Job, human.Duration(j.ToMs-j.FromMs)), j.Name}
	return Bar{FromMs: j.FromMs, ToMs: j.ToMs, Label: fmt.Sprintf("job %d", j.Job), Full: full, IsFailed: j.IsFailed, IsCut: j.IsCut}
}

func stageBar(s Stage) Bar {
	b := Bar{FromMs: s.FromMs, ToMs: s.ToMs, Label: fmt.Sprint(s.Stage), IsFailed: s.Failure != "", IsCut: s.IsCut}
	title := fmt.Sprintf("stage %d", s.Stage)
	if s.Attempt > 0 {
		b.Label = fmt.Sprintf("%d.%d", s.Stage, s.Attempt)
		title += fmt.Sprintf(", attempt %d", s.Attempt)
	}
	if s.Job.OK {
		title += fmt.Sprintf(" (job %d)", s.Job.V)
	}
	b.Full = []string{title, s.Name, human.Counted(s.Tasks, "task", "tasks") + ", " + human.Duration(s.SlotMs) + " of slot time in " + human.Duration(s.ToMs-s.FromMs)}
	if s.Reruns > 0 {
		b.Full = append(b.Full, human.Count(s.Reruns)+" of them ran again what had succeeded before")
		b.Rerun = float64(s.Reruns) / float64(max(1, s.Tasks))
	}
	if s.Failure != "" {
		b.Full = append(b.Full, "failed: "+human.Cut(s.Failure, 200))
	}
	return b
}

// pack puts bars, which are in order of time, into the first lane that is
// free. What finds no lane among n is left out; shown counts the others.
func pack(bars []Bar, n int) (lanes []Lane, shown int) {
	for _, b := range bars {
		i := freeLane(lanes, b.FromMs)
		if i == n {
			continue
		}
		if i == len(lanes) {
			lanes = append(lanes, nil)
		}
		lanes[i] = append(lanes[i], b)
		shown++
	}
	return lanes, shown
}

func freeLane(lanes []Lane, from int64) int {
	for i, l := range lanes {
		if l[len(l)-1].ToMs <= from {
			return i
		}
	}
	return len(lanes)
}
