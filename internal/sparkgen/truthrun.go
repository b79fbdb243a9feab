package sparkgen

import "slices"

// shuffleStage notes that a stage id stands for a shuffle.
func (t *Truth) shuffleStage(s *shuffle, stage int) {
	i := slices.IndexFunc(t.Shuffles, func(x TrueShuffle) bool { return x.Shuffle == s.id })
	if i < 0 {
		x := TrueShuffle{Shuffle: s.id, MapRDD: s.mapRDD.id, ReadingRDD: -1, Ordinal: s.ordinal, Maps: s.mapRDD.parts, Sparse: s.sparse}
		if s.reader != nil {
			x.ReadingRDD = s.reader.id
		}
		t.Shuffles = append(t.Shuffles, x)
		i = len(t.Shuffles) - 1
	}
	t.Shuffles[i].Stages = append(t.Shuffles[i].Stages, stage)
}

// truthAttempt notes what a stage attempt reads and repeats.
func (d *driver) truthAttempt(ts *taskset) {
	st := ts.stage
	a := TrueAttempt{Stage: st.id, Attempt: ts.attempt, Job: ts.job.id, Writes: -1, Parts: slices.Clone(ts.parts), SubmitMs: d.now, RepeatsOnly: true}
	if st.shuffle != nil {
		a.Writes = st.shuffle.id
	}
	shuffles, caches := d.reads(st.rdd)
	for _, s := range shuffles {
		a.Reads = append(a.Reads, s.id)
	}
	for _, r := range caches {
		a.Caches = append(a.Caches, r.id)
	}
	for _, id := range ts.ids {
		p := piece{shuffle: st.shuffle, part: id}
		if st.shuffle == nil {
			p.job = st.job
		}
		if !d.succeededOnce[p] {
			a.RepeatsOnly = false
		}
	}
	d.truth.Attempts = append(d.truth.Attempts, a)
}

// finishTruth hands over the outputs.
func (d *driver) finishTruth() {
	for _, o := range d.all {
		if len(o.stays) == 0 {
			continue // kept by a worker that the driver had given up
		}
		x := TrueOutput{
			Shuffle: -1, RDD: o.rdd.id, Partition: o.part, Task: o.by.id, Worker: o.ex.id, MadeMs: o.madeMs, Bytes: o.bytes, Rerun: o.rerun, Stays: o.stays,
		}
		if o.shuffle != nil {
			x.Shuffle = o.shuffle.id
		}
		end := o.by.finish
		if !o.by.ended {
			end = d.truth.End
		}
		x.CostMs = end - o.by.launch
		d.truth.Outputs = append(d.truth.Outputs, x)
	}
}
