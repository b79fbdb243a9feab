package spark

import (
	"strings"

	"github.com/go-faster/jx"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

func (d *Decoder) stageSubmitted(j *jx.Decoder) error {
	e := ingest.StageSubmitted{At: d.at()}
	var ok bool
	err := d.object(j, "", func(j *jx.Decoder, key string) (err error) {
		switch key {
		case "Stage Info":
			e.Info, ok, err = d.stageInfo(j, key)
			return err
		case "Properties":
			return d.jobProperties(j, key, &e.Properties)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	if !d.need(ok, "Stage ID") {
		return nil
	}
	e.Info.Accumulators = nil
	d.emit(&e)
	return nil
}

func (d *Decoder) stageCompleted(j *jx.Decoder) error {
	e := ingest.StageCompleted{At: d.at()}
	var ok bool
	err := d.object(j, "", func(j *jx.Decoder, key string) (err error) {
		switch key {
		case "Stage Info":
			e.Info, ok, err = d.stageInfo(j, key)
			return err
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(e.Info.CompleteMs.OK, "Completion Time")
	if !d.need(ok, "Stage ID") {
		return nil
	}
	d.emit(&e)
	return nil
}

// stageInfo reads one stage attempt; ok tells whether it says which.
func (d *Decoder) stageInfo(j *jx.Decoder, field string) (s ingest.StageInfo, ok bool, err error) {
	var stage, tasks table.I64
	rdds := false
	err = d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "Stage ID":
			return d.int(j, key, &stage)
		case "Stage Attempt ID": // since 1.1
			return d.plainInt(j, key, &s.Attempt)
		case "Stage Name":
			return d.string(j, key, &s.Name)
		case "Number of Tasks":
			return d.int(j, key, &tasks)
		case "RDD Info":
			rdds = true
			return d.rddInfos(j, key, &s.RDDs)
		case "Parent IDs": // since 1.4
			s.HasParents = j.Next() == jx.Array
			return d.ints(j, key, &s.Parents)
		case "Submission Time":
			return d.int(j, key, &s.SubmitMs)
		case "Completion Time":
			return d.int(j, key, &s.CompleteMs)
		case "Failure Reason":
			return d.message(j, key, &s.Failure)
		case "Resource Profile Id":
			return d.int(j, key, &s.Profile)
		case "Accumulables":
			return d.accumulators(j, key, &s.Accumulators)
		}
		return j.Skip()
	})
	if err != nil {
		return s, false, err
	}
	d.expect(stage.OK, "Stage ID")
	d.expect(tasks.OK, "Number of Tasks")
	d.expect(rdds, "RDD Info")
	s.Stage, s.Tasks = stage.V, tasks.V
	return s, stage.OK, nil
}

// accumulators reads which accumulators a stage updated, those apart that make
// up the engine's own task metrics. SQL metrics are among the rest; not all
// versions mark them as such.
func (d *Decoder) accumulators(j *jx.Decoder, field string, to *[]int64) error {
	return d.array(j, field, func(j *jx.Decoder) error {
		var id table.I64
		internal := false
		err := d.object(j, field, func(j *jx.Decoder, key string) error {
			switch key {
			case "ID":
				return d.int(j, key, &id)
			case "Name":
				return d.text(j, key, func(b []byte) {
					internal = strings.HasPrefix(string(b), "internal.metrics.")
				})
			}
			return j.Skip()
		})
		if id.OK && !internal {
			*to = append(*to, id.V)
		}
		return err
	})
}

// rddInfos reads the data sets of a stage.
func (d *Decoder) rddInfos(j *jx.Decoder, field string, to *[]ingest.RDDInfo) error {
	return d.array(j, field, func(j *jx.Decoder) error {
		r, ok, err := d.rddInfo(j, field)
		if err == nil && ok {
			*to = append(*to, r)
		}
		return err
	})
}

func (d *Decoder) rddInfo(j *jx.Decoder, field string) (r ingest.RDDInfo, ok bool, err error) {
	var id table.I64
	err = d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "RDD ID":
			return d.int(j, key, &id)
		case "Name":
			return d.string(j, key, &r.Name)
		case "Scope":
			return d.text(j, key, func(b []byte) { r.Scope = d.scopeName(b) })
		case "Callsite":
			return d.string(j, key, &r.CallSite)
		case "Parent IDs":
			return d.ints(j, key, &r.Parents)
		case "Storage Level":
			return d.storageLevel(j, key, &r)
		case "Barrier":
			return d.bool(j, key, &r.Barrier)
		case "DeterministicLevel":
			return d.string(j, key, &r.Deterministic)
		case "Number of Partitions":
			return d.plainInt(j, key, &r.Partitions)
		case "Number of Cached Partitions":
			return d.plainInt(j, key, &r.CachedParts)
		}
		return j.Skip()
	})
	if err != nil {
		return r, false, err
	}
	d.expect(id.OK, "RDD ID")
	r.RDD = id.V
	return r, id.OK, nil
}

// scopeName is the name in a scope, an object inside a string:
// {"id":"6","name":"WholeStageCodegen (5)"}.
func (d *Decoder) scopeName(scope []byte) string {
	text := d.strings.intern(cutText(scope, maxText))
	var name string
	ok := d.nestedObject(scope, func(j *jx.Decoder, key string) error {
		if key != "name" {
			return j.Skip()
		}
		return d.string(j, "Scope", &name)
	})
	if !ok || name == "" {
		return text
	}
	return name
}

// level is a storage level; which of the fields of its version it has does not
// matter.
type level struct {
	memory, disk bool
	replication  int64
}

// valid tells whether a block at this level is kept at all.
func (l level) valid() bool { return (l.memory || l.disk) && l.replication > 0 }

func (d *Decoder) level(j *jx.Decoder, field string, l *level) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "Use Disk":
			return d.bool(j, key, &l.disk)
		case "Use Memory":
			return d.orBool(j, key, &l.memory)
		case "Use Off Heap", "Use ExternalBlockStore", "Use Tachyon":
			return d.orBool(j, key, &l.memory)
		case "Replication":
			return d.plainInt(j, key, &l.replication)
		}
		return j.Skip()
	})
}

// orBool reads one of several flags that mean the same.
func (d *Decoder) orBool(j *jx.Decoder, field string, to *bool) error {
	v := false
	err := d.bool(j, field, &v)
	*to = *to || v
	return err
}

func (d *Decoder) storageLevel(j *jx.Decoder, field string, r *ingest.RDDInfo) error {
	var l level
	err := d.level(j, field, &l)
	r.UseMemory, r.UseDisk, r.Replication = l.memory, l.disk, l.replication
	return err
}
