package spark

import (
	"github.com/go-faster/jx"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

func (d *Decoder) sqlExecutionStart(j *jx.Decoder) error {
	e := ingest.SQLStart{At: d.at()}
	var id table.I64
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "executionId":
			return d.int(j, key, &id)
		case "rootExecutionId": // since 3.4
			return d.int(j, key, &e.Root)
		case "description":
			return d.string(j, key, &e.Description)
		case "details":
			return d.string(j, key, &e.Details)
		case "time":
			return d.int(j, key, &e.Ms)
		case "sparkPlanInfo":
			return d.planNode(j, key, 0, &e.Nodes)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(e.Ms.OK, "time")
	if !d.need(id.OK, "executionId") {
		return nil
	}
	e.Execution = id.V
	d.emit(&e)
	return nil
}

// sqlPlanUpdate reads the plan that adaptive execution changed to.
func (d *Decoder) sqlPlanUpdate(j *jx.Decoder) error {
	e := ingest.SQLPlan{At: d.at()}
	var id table.I64
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "executionId":
			return d.int(j, key, &id)
		case "sparkPlanInfo":
			return d.planNode(j, key, 0, &e.Nodes)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(len(e.Nodes) > 0, "sparkPlanInfo")
	if !d.need(id.OK, "executionId") {
		return nil
	}
	e.Execution = id.V
	d.emit(&e)
	return nil
}

func (d *Decoder) sqlExecutionEnd(j *jx.Decoder) error {
	e := ingest.SQLEnd{At: d.at()}
	var id table.I64
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "executionId":
			return d.int(j, key, &id)
		case "time":
			return d.int(j, key, &e.Ms)
		case "errorMessage": // since 3.4; "" is success
			return d.message(j, key, &e.Error)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(e.Ms.OK, "time")
	if !d.need(id.OK, "executionId") {
		return nil
	}
	e.Execution = id.V
	d.emit(&e)
	return nil
}

// planNode reads an operator and those below it, in pre-order. The operator's
// own place is taken first: the log has its metrics after its children.
func (d *Decoder) planNode(j *jx.Decoder, field string, depth int64, to *[]ingest.PlanNode) error {
	if j.Next() != jx.Object {
		return d.other(j, field)
	}
	i := len(*to)
	*to = append(*to, ingest.PlanNode{Depth: depth})
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "nodeName":
			return d.string(j, key, &(*to)[i].Name)
		case "simpleString":
			return d.text(j, key, func(b []byte) {
				(*to)[i].Detail = d.strings.intern(cutText(b, maxDetail))
			})
		case "metrics":
			return d.planMetrics(j, key, &(*to)[i].Metrics)
		case "children":
			return d.array(j, key, func(j *jx.Decoder) error {
				return d.planNode(j, key, depth+1, to)
			})
		}
		return j.Skip()
	})
}

func (d *Decoder) planMetrics(j *jx.Decoder, field string, to *[]ingest.PlanMetric) error {
	return d.array(j, field, func(j *jx.Decoder) error {
		var m ingest.PlanMetric
		var id table.I64
		err := d.object(j, field, func(j *jx.Decoder, key string) error {
			switch key {
			case "name":
				return d.string(j, key, &m.Name)
			case "accumulatorId":
				return d.int(j, key, &id)
			}
			return j.Skip()
		})
		if err == nil && id.OK {
			m.Accumulator = id.V
			*to = append(*to, m)
		}
		return err
	})
}
