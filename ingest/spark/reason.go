package spark

import (
	"fmt"

	"github.com/go-faster/jx"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// reason gathers the fields of all reasons for which a task can end; each kind
// has its own few.
type reason struct {
	name                    string
	class, description      string // ExceptionFailure
	kill, loss              string // TaskKilled; ExecutorLostFailure
	job, partition, attempt table.I64
	fetch                   ingest.FetchFailure
	worker                  string // ExecutorLostFailure
	byApp                   table.Opt[bool]
	metrics                 ingest.Metrics // ExceptionFailure before 1.5
	hasMetrics              bool
}

// taskEndReason reads how a task ended.
func (d *Decoder) taskEndReason(j *jx.Decoder, field string, t *task) error {
	r := &d.reason
	*r = reason{}
	err := d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "Reason":
			return d.string(j, key, &r.name)
		case "Class Name":
			return d.string(j, key, &r.class)
		case "Description":
			return d.message(j, key, &r.description)
		case "Kill Reason": // since 2.2
			return d.message(j, key, &r.kill)
		case "Loss Reason": // since 1.5
			return d.message(j, key, &r.loss)
		case "Executor ID":
			return d.string(j, key, &r.worker)
		case "Exit Caused By App": // since 1.5
			r.byApp.OK = j.Next() == jx.Bool
			return d.bool(j, key, &r.byApp.V)
		case "Metrics":
			r.hasMetrics = j.Next() == jx.Object
			return d.taskMetrics(j, key, &r.metrics, &t.Blocks)
		}
		return d.reasonField(j, key, r)
	})
	if err == nil && r.name != "" {
		r.into(t)
	}
	return err
}

// reasonField reads the fields of FetchFailed and TaskCommitDenied.
func (d *Decoder) reasonField(j *jx.Decoder, key string, r *reason) error {
	switch key {
	case "Block Manager Address": // absent when the driver knew of no location
		var s store
		err := d.blockManagerID(j, key, &s)
		r.fetch.Worker, r.fetch.Host, r.fetch.Port = s.worker, s.host, s.port
		return err
	case "Shuffle ID":
		return d.atLeast(j, key, 0, &r.fetch.Shuffle)
	case "Map ID":
		return d.atLeast(j, key, 0, &r.fetch.Map)
	case "Map Index": // since 3.0
		return d.atLeast(j, key, 0, &r.fetch.MapIndex)
	case "Reduce ID":
		return d.atLeast(j, key, 0, &r.fetch.Reduce)
	case "Message":
		return d.message(j, key, &r.fetch.Message)
	case "Job ID":
		return d.int(j, key, &r.job)
	case "Partition ID":
		return d.int(j, key, &r.partition)
	case "Attempt Number":
		return d.int(j, key, &r.attempt)
	}
	return j.Skip()
}

// into fills in how the task ended.
func (r *reason) into(t *task) {
	switch r.name {
	case "Success":
		t.Status = ingest.Success
	case "Resubmitted":
		t.Status = ingest.Resubmitted
	case "FetchFailed":
		t.Status, t.Reason = ingest.FetchFailed, r.fetch.Message
		fetch := r.fetch // r is used again
		t.Fetch = &fetch
	case "ExceptionFailure":
		t.Status, t.Reason = ingest.Failed, joinReason(r.class, r.description)
		t.atFault = table.Opt[ingest.Metrics]{V: r.metrics, OK: r.hasMetrics}
	case "TaskKilled":
		t.Status, t.Reason = ingest.Killed, r.kill
	case "ExecutorLostFailure":
		t.Status, t.Reason = ingest.WorkerLost, r.loss
		t.LossWorker, t.ByApp = r.worker, r.byApp
	case "TaskCommitDenied":
		t.Status, t.Reason = ingest.CommitDenied, r.denied()
	case "TaskResultLost":
		t.Status = ingest.ResultLost
	case "UnknownReason":
		t.Status = ingest.Unknown
	default:
		t.Status, t.Reason = ingest.Unknown, r.name
	}
}

// joinReason puts the class of a failure before its message.
func joinReason(class, message string) string {
	if class == "" || message == "" {
		return class + message
	}
	s := class + ": " + message
	return string(cutText([]byte(s), maxText))
}

// denied says of which commit the driver thought nothing.
func (r *reason) denied() string {
	if !r.partition.OK {
		return ""
	}
	return fmt.Sprintf("commit of partition %d, attempt %d, denied", r.partition.V, r.attempt.V)
}
