package sim

import "slices"

// Leg is one part of a run's critical path.
type Leg struct {
	Kind         string // stage: an attempt of a stage; failed: one that could not fetch; gap: the coordinator took its time
	Stage        int32  // in Run.Stages, -1
	Attempt      int32
	FromMs, ToMs int64
}

// CriticalPath is what the end of a traced run hung on, from its start: of each
// stage attempt the input that was there last, of each job the job that it
// waited for. Legs follow one another without a hole.
func CriticalPath(run *Run, res *Result) []Leg {
	p := newPath(run, res)
	var legs []Leg
	at := p.lastJob()
	for at >= 0 && len(legs) < 1<<16 {
		s := &res.Steps[at]
		from := p.before(at)
		start := int64(0)
		if from >= 0 {
			start = res.Steps[from].AtMs
		}
		leg := Leg{Kind: "gap", Stage: -1, FromMs: start, ToMs: s.AtMs}
		switch s.Kind {
		case StepStageEnd:
			leg.Kind, leg.Stage, leg.Attempt = "stage", s.A, s.B
		case StepStageFail:
			leg.Kind, leg.Stage, leg.Attempt = "failed", s.A, s.B
		}
		if leg.ToMs > leg.FromMs {
			legs = append(legs, leg)
		}
		at = from
	}
	slices.Reverse(legs)
	return legs
}

// path finds steps by what they are about.
type path struct {
	run    *Run
	res    *Result
	stages map[[3]int32]int // kind, stage, attempt -> step
	ends   map[int32][]int  // stage -> its ends, in order
	jobs   map[[2]int32]int // kind, job -> step
}

func newPath(run *Run, res *Result) *path {
	p := &path{run, res, map[[3]int32]int{}, map[int32][]int{}, map[[2]int32]int{}}
	for i, s := range res.Steps {
		switch s.Kind {
		case StepStage, StepStageFail:
			p.stages[[3]int32{int32(s.Kind), s.A, s.B}] = i
		case StepStageEnd:
			p.ends[s.A] = append(p.ends[s.A], i)
		case StepJob, StepJobEnd:
			p.jobs[[2]int32{int32(s.Kind), s.A}] = i
		}
	}
	return p
}

func (p *path) lastJob() int {
	best := -1
	for i, s := range p.res.Steps {
		if s.Kind == StepJobEnd && (best < 0 || s.AtMs >= p.res.Steps[best].AtMs) {
			best = i
		}
	}
	return best
}

// before is the step that a step hung on, -1: none.
func (p *path) before(i int) int {
	s := &p.res.Steps[i]
	switch s.Kind {
	case StepJobEnd:
		if f := p.run.Jobs[s.A].Final; f >= 0 {
			if e := p.endBefore(f, i); e >= 0 {
				return e
			}
		}
		return p.jobs[[2]int32{int32(StepJob), s.A}]
	case StepStageEnd, StepStageFail:
		return p.find(p.stages, [3]int32{int32(StepStage), s.A, s.B})
	case StepStage:
		return p.ready(i)
	case StepJob:
		best := -1
		for _, k := range p.run.Jobs[s.A].After {
			if e, ok := p.jobs[[2]int32{int32(StepJobEnd), k}]; ok {
				best = p.later(best, e)
			}
		}
		return best
	}
	return -1
}

func (p *path) find(m map[[3]int32]int, k [3]int32) int {
	if i, ok := m[k]; ok {
		return i
	}
	return -1
}

// ready is what a stage attempt's submission hung on: the last of its inputs,
// its own attempt before, or its job.
func (p *path) ready(i int) int {
	s := &p.res.Steps[i]
	best := -1
	p.run.shuffles(p.run.Stages[s.A].Reads, func(d int32) {
		if m := p.run.Datasets[d].Maker; m >= 0 {
			best = p.later(best, p.endBefore(m, i))
		}
	})
	if s.B > 0 { // again: some reader could not fetch, or the attempt before ended with holes
		for k := i - 1; k >= 0; k-- {
			if p.res.Steps[k].Kind == StepStageFail {
				best = p.later(best, k)
				break
			}
		}
		best = p.later(best, p.endBefore(s.A, i))
	}
	if j, ok := p.jobs[[2]int32{int32(StepJob), s.C}]; ok && j < i {
		best = p.later(best, j)
	}
	return best
}

// endBefore is a stage's last end before a step, -1.
func (p *path) endBefore(stage int32, i int) int {
	best := -1
	for _, e := range p.ends[stage] {
		if e < i {
			best = e
		}
	}
	return best
}

func (p *path) later(a, b int) int {
	if a < 0 || b >= 0 && p.res.Steps[b].AtMs > p.res.Steps[a].AtMs {
		return b
	}
	return a
}
