package replay

import (
	"slices"

	"tracereplay/replay/sim"
)

// typical is the run as it was known just before an instant (ms on the Run's
// clock): of the batches given, what had not ended by then takes what the same
// pieces of the batches like them took, and nothing is known of what runs
// again. Jobs that come later than these batches are left out.
func (d *delays) typical(some, like []*batchWork, from int64) *sim.Run {
	c := *d.run
	c.DurMs, c.PreMs, c.Flags = slices.Clone(c.DurMs), slices.Clone(c.PreMs), slices.Clone(c.Flags)
	c.Stages, c.Jobs, c.Attempts = slices.Clone(c.Stages), slices.Clone(c.Jobs), slices.Clone(c.Attempts)
	c.Again, c.AgainShare = nil, 1
	c.Rules.FetchFailMs = min(c.Rules.FetchFailMs, askMs+d.startMs(like))
	last := int32(0)
	for j := range c.Jobs {
		if c.Jobs[j].Recorded[0] <= from {
			last = int32(j)
		}
	}
	t := &typed{run: &c, ended: d.endedBy(from), walls: map[int32]int64{}}
	for _, b := range some {
		for _, j := range b.jobs {
			last = max(last, j)
		}
		if len(b.stages) == len(like[0].stages) {
			t.batch(d, b, like)
		}
	}
	t.running(from)
	c.Jobs = c.Jobs[:last+1]
	return &c
}

// askMs is how long a reader that has begun to run takes until it has given up
// on a worker that the coordinator knows to be dead: readers that were launched
// after the loss was noticed failed after 185, 189 and 207 ms, 20 to 60 ms of it
// before they ran. (The simulator's own rule, 500 ms, is of runs whose tasks took
// longer to begin.)
const askMs = 150

// startMs is how long after their launch readers of batches begin to run, in
// the median.
func (d *delays) startMs(batches []*batchWork) int64 {
	var all []int64
	for _, b := range batches {
		for _, st := range b.stages {
			s := &d.run.Stages[st]
			for p := s.First; p < s.Last && len(s.Reads) > 0; p++ {
				if ms, ok := d.start[d.run.Source[p]]; ok {
					all = append(all, ms)
				}
			}
		}
	}
	if len(all) == 0 {
		return d.run.Rules.FetchFailMs
	}
	return middleOf(all)
}

// endedBy are the pieces that had succeeded by an instant.
func (d *delays) endedBy(from int64) map[int32]bool {
	out := map[int32]bool{}
	for i := range d.run.Attempts {
		if a := &d.run.Attempts[i]; a.Status == "success" && a.EndMs <= from {
			out[a.Task] = true
		}
	}
	return out
}

// typed is a run whose open pieces get their usual times.
type typed struct {
	run   *sim.Run
	ended map[int32]bool
	walls map[int32]int64 // open piece -> what an attempt takes from launch to end
}

// batch gives the open pieces of a batch the median of those of the batches
// like it, stage by stage.
func (t *typed) batch(d *delays, b *batchWork, like []*batchWork) {
	walls := d.wallsOf(like)
	for k, st := range b.stages {
		s := &t.run.Stages[st]
		var same []int32 // the stage in the other batches
		for _, x := range like {
			if o := &d.run.Stages[x.stages[k]]; o.Tasks() == s.Tasks() {
				same = append(same, x.stages[k])
			}
		}
		if len(same) == 0 {
			continue
		}
		ref := &d.run.Stages[same[len(same)-1]]
		s.Entries, s.Cold, s.FetchMs, s.MedianMs, s.Density = ref.Entries, nil, ref.FetchMs, ref.MedianMs, ref.Density
		s.SubmitGapMs, s.EndGapMs = ref.SubmitGapMs, ref.EndGapMs
		for i := range s.Tasks() {
			piece := s.First + i
			if t.ended[piece] {
				continue
			}
			var dur, pre, wall []int64
			for _, o := range same {
				p := d.run.Stages[o].First + i
				dur, pre = append(dur, int64(d.run.DurMs[p])), append(pre, int64(d.run.PreMs[p]))
				if ms, ok := walls[p]; ok {
					wall = append(wall, ms)
				}
			}
			t.run.DurMs[piece], t.run.PreMs[piece], t.run.Flags[piece] = int32(middleOf(dur)), int32(middleOf(pre)), 0
			if len(wall) > 0 {
				t.walls[piece] = middleOf(wall)
			}
		}
	}
	for k, j := range b.jobs {
		job := &t.run.Jobs[j]
		job.EndGapMs = medianOf(like, func(x *batchWork) int64 { return d.run.Jobs[x.jobs[k]].EndGapMs }).V
	}
}

// wallsOf is what the successes of the pieces of batches took from launch to end.
func (d *delays) wallsOf(batches []*batchWork) map[int32]int64 {
	stages := map[int32]bool{}
	for _, b := range batches {
		for _, s := range b.stages {
			stages[s] = true
		}
	}
	out := map[int32]int64{}
	for i := range d.run.Attempts {
		if a := &d.run.Attempts[i]; stages[a.Stage] && a.Status == "success" {
			if _, ok := out[a.Task]; !ok {
				out[a.Task] = a.EndMs - a.StartMs
			}
		}
	}
	return out
}

// running lets attempts that run at the instant end when they usually would:
// how they did end is not known yet.
func (t *typed) running(from int64) {
	for i := range t.run.Attempts {
		a := &t.run.Attempts[i]
		if ms, ok := t.walls[a.Task]; ok && a.StartMs <= from && a.EndMs > from {
			a.Status, a.EndMs = "success", max(a.StartMs+ms, from+1)
		}
	}
}
