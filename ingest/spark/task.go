package spark

import (
	"github.com/go-faster/jx"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// This is the strict way to read tasks, and the one that words problems;
// fasttask.go is the fast one.

// task is a task's event as it is read: what it cannot do without is still
// optional.
type task struct {
	ingest.TaskEnd
	stage, id, index, launch table.I64
	accumulables             []byte // JSON
	atFault                  table.Opt[ingest.Metrics]
}

func (d *Decoder) taskStart(j *jx.Decoder) error {
	t := &d.task
	*t = task{}
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Stage ID":
			return d.int(j, key, &t.stage)
		case "Stage Attempt ID":
			return d.plainInt(j, key, &t.StageAttempt)
		case "Task Info":
			return d.taskInfo(j, key, t)
		}
		return j.Skip()
	})
	if err != nil || !d.identify(t) {
		return err
	}
	*d.b.AddStart() = t.TaskStart
	return nil
}

func (d *Decoder) taskEnd(j *jx.Decoder) error {
	t := &d.task
	*t = task{}
	ended := false
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Stage ID":
			return d.int(j, key, &t.stage)
		case "Stage Attempt ID":
			return d.plainInt(j, key, &t.StageAttempt)
		case "Task Type":
			return d.string(j, key, &t.TaskType)
		case "Task End Reason":
			ended = j.Next() == jx.Object
			return d.taskEndReason(j, key, t)
		case "Task Info":
			return d.taskInfo(j, key, t)
		case "Task Metrics":
			t.HasMetrics = t.HasMetrics || j.Next() == jx.Object
			return d.taskMetrics(j, key, &t.M, &t.Blocks)
		}
		if isMetricsGroup(key) { // a misplaced brace moved it out of Task Metrics
			return d.taskMetric(j, key, &t.M, &t.Blocks)
		}
		return j.Skip()
	})
	if err != nil || !d.identify(t) {
		return err
	}
	d.expect(ended, "Task End Reason")
	d.finishEnd(t)
	*d.b.AddEnd() = t.TaskEnd
	return nil
}

// identify moves over what a task cannot do without. It returns whether it is
// all there.
func (d *Decoder) identify(t *task) bool {
	ok := d.need(t.stage.OK, "Stage ID")
	ok = d.need(t.id.OK, "Task ID") && ok
	ok = d.need(t.index.OK, "Index") && ok
	ok = d.need(t.launch.OK, "Launch Time") && ok
	d.expect(t.Worker != "", "Executor ID")
	d.expect(t.Host != "", "Host")
	t.At = d.at()
	t.Stage, t.Task, t.Index, t.LaunchMs = t.stage.V, t.id.V, t.index.V, t.launch.V
	return ok
}

// finishEnd fills in what follows from other fields.
func (d *Decoder) finishEnd(t *task) {
	if t.Status == "" {
		t.Status = ingest.Unknown
	}
	if !t.HasMetrics && t.atFault.OK {
		t.M, t.HasMetrics = t.atFault.V, true
	}
	if t.HasMetrics && !t.M.PeakMemoryBytes.OK {
		t.M.PeakMemoryBytes = d.peakMemory(t.accumulables)
	}
	for i := range t.Blocks {
		t.Blocks[i].Worker, t.Blocks[i].Host = t.Worker, t.Host
	}
}

func (d *Decoder) taskInfo(j *jx.Decoder, field string, t *task) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "Task ID":
			return d.int(j, key, &t.id)
		case "Index":
			return d.int(j, key, &t.index)
		case "Attempt":
			return d.plainInt(j, key, &t.Attempt)
		case "Partition ID":
			return d.atLeast(j, key, 0, &t.Partition)
		case "Launch Time":
			return d.int(j, key, &t.launch)
		case "Executor ID":
			return d.string(j, key, &t.Worker)
		case "Host":
			return d.string(j, key, &t.Host)
		case "Locality":
			return d.string(j, key, &t.Locality)
		case "Speculative":
			return d.bool(j, key, &t.Speculative)
		case "Getting Result Time":
			return d.atLeast(j, key, 1, &t.GettingResultMs)
		case "Finish Time":
			return d.atLeast(j, key, 1, &t.FinishMs)
		case "Accumulables":
			var err error
			t.accumulables, err = j.Raw()
			return err
		}
		return j.Skip()
	})
}

// atLeast reads an integer where values below least stand for unknown.
func (d *Decoder) atLeast(j *jx.Decoder, field string, least int64, to *table.I64) error {
	v := *to
	err := d.int(j, field, &v)
	if *to = v; v.V < least {
		*to = table.I64{}
	}
	return err
}
