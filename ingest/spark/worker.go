package spark

import (
	"strings"

	"github.com/go-faster/jx"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

func (d *Decoder) resourceProfileAdded(j *jx.Decoder) error {
	e := ingest.Profile{At: d.at()}
	var id table.I64
	var cores table.Opt[float64]
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Resource Profile Id":
			return d.int(j, key, &id)
		case "Executor Resource Requests":
			return d.amount(j, key, "cores", &cores)
		case "Task Resource Requests":
			return d.amount(j, key, "cpus", &e.TaskCPUs)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	if !d.need(id.OK, "Resource Profile Id") {
		return nil
	}
	e.ID = id.V
	e.Cores = table.I64{V: int64(cores.V), OK: cores.OK}
	d.emit(&e)
	return nil
}

// amount reads how much of one resource a request asks for.
func (d *Decoder) amount(j *jx.Decoder, field, resource string, to *table.Opt[float64]) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		if key != resource {
			return j.Skip()
		}
		return d.object(j, key, func(j *jx.Decoder, key string) error {
			if key != "Amount" {
				return j.Skip()
			}
			return d.float(j, field+"/"+resource+"/Amount", to)
		})
	})
}

func (d *Decoder) executorAdded(j *jx.Decoder) error {
	e := ingest.WorkerAdded{At: d.at()}
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Timestamp":
			return d.int(j, key, &e.Ms)
		case "Executor ID":
			return d.string(j, key, &e.Worker)
		case "Executor Info":
			return d.executorInfo(j, key, &e)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(e.Ms.OK, "Timestamp")
	d.expect(e.Host != "", "Host")
	d.expect(e.Cores.OK, "Total Cores")
	if !d.need(e.Worker != "", "Executor ID") {
		return nil
	}
	d.emit(&e)
	return nil
}

func (d *Decoder) executorInfo(j *jx.Decoder, field string, e *ingest.WorkerAdded) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "Host":
			return d.string(j, key, &e.Host)
		case "Total Cores":
			return d.int(j, key, &e.Cores)
		case "Resource Profile Id":
			return d.int(j, key, &e.Profile)
		case "Request Time":
			return d.int(j, key, &e.RequestMs)
		}
		return j.Skip()
	})
}

func (d *Decoder) executorRemoved(j *jx.Decoder) error {
	e := ingest.WorkerRemoved{At: d.at()}
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Timestamp":
			return d.int(j, key, &e.Ms)
		case "Executor ID":
			return d.string(j, key, &e.Worker)
		case "Removed Reason":
			return d.text(j, key, func(b []byte) { e.Reason = withoutFrames(b) })
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(e.Ms.OK, "Timestamp")
	if !d.need(e.Worker != "", "Executor ID") {
		return nil
	}
	d.emit(&e)
	return nil
}

// store is a block manager's identity.
type store struct {
	worker, host string
	port         table.I64
}

func (d *Decoder) blockManagerID(j *jx.Decoder, field string, s *store) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "Executor ID":
			return d.string(j, key, &s.worker)
		case "Host":
			return d.string(j, key, &s.host)
		case "Port":
			return d.int(j, key, &s.port)
		}
		return j.Skip()
	})
}

func (d *Decoder) blockManagerAdded(j *jx.Decoder) error {
	e := ingest.StoreAdded{At: d.at()}
	var s store
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Block Manager ID":
			return d.blockManagerID(j, key, &s)
		case "Maximum Memory":
			return d.int(j, key, &e.MemoryBytes)
		case "Timestamp":
			return d.int(j, key, &e.Ms)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(s.host != "", "Host")
	d.expect(e.Ms.OK, "Timestamp")
	if !d.need(s.worker != "", "Executor ID") {
		return nil
	}
	e.Worker, e.Host, e.Port = s.worker, s.host, s.port
	d.emit(&e)
	return nil
}

func (d *Decoder) blockManagerRemoved(j *jx.Decoder) error {
	e := ingest.StoreRemoved{At: d.at()}
	var s store
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Block Manager ID":
			return d.blockManagerID(j, key, &s)
		case "Timestamp":
			return d.int(j, key, &e.Ms)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(s.host != "", "Host")
	d.expect(e.Ms.OK, "Timestamp")
	if !d.need(s.worker != "", "Executor ID") {
		return nil
	}
	e.Worker, e.Host = s.worker, s.host
	d.emit(&e)
	return nil
}

func (d *Decoder) excluded(j *jx.Decoder) error  { return d.exclusion(j, false) }
func (d *Decoder) takenBack(j *jx.Decoder) error { return d.exclusion(j, true) }

func (d *Decoder) exclusion(j *jx.Decoder, back bool) error {
	e := ingest.Exclusion{At: d.at(), Back: back}
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "executorId":
			return d.string(j, key, &e.Worker)
		case "hostId":
			return d.string(j, key, &e.Host)
		case "stageId":
			return d.int(j, key, &e.Stage)
		case "taskFailures", "executorFailures":
			return d.int(j, key, &e.Failures)
		case "time":
			return d.int(j, key, &e.Ms)
		}
		return j.Skip()
	})
	who := "executorId"
	if strings.HasPrefix(d.kind, "SparkListenerNode") {
		who = "hostId"
	}
	if err != nil {
		return err
	}
	d.expect(e.Ms.OK, "time")
	d.expect(e.Stage.OK || !strings.HasSuffix(d.kind, "ForStage"), "stageId")
	if !d.need(e.Worker+e.Host != "", who) {
		return nil
	}
	d.emitExclusion(&e)
	return nil
}

// emitExclusion drops the second of the pair that 3.1 and later write: the
// same exclusion as Blacklisted and as Excluded, one right after the other but
// for events of other threads in between. A pair that lies in two blocks
// cannot be seen from here; whoever takes the batches drops it.
func (d *Decoder) emitExclusion(e *ingest.Exclusion) {
	if !strings.Contains(d.kind, "lacklisted") {
		others := d.b.Others
		for i := len(others) - 1; i >= 0 && i >= len(others)-8; i-- {
			if o, ok := others[i].(*ingest.Exclusion); ok && e.Same(o) {
				return
			}
		}
	}
	d.emit(e)
}
