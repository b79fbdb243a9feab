package spark

import (
	"github.com/go-faster/jx"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

func (d *Decoder) jobStart(j *jx.Decoder) error {
	e := ingest.JobStart{At: d.at()}
	var job table.I64
	stages := false
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Job ID":
			return d.int(j, key, &job)
		case "Submission Time": // since 1.3
			return d.int(j, key, &e.Ms)
		case "Stage IDs":
			stages = true
			return d.ints(j, key, &e.StageIDs)
		case "Stage Infos": // since 1.2
			return d.array(j, key, func(j *jx.Decoder) error {
				return d.jobStage(j, &e.Stages)
			})
		case "Properties":
			return d.jobProperties(j, key, &e.Properties)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(stages, "Stage IDs")
	if !d.need(job.OK, "Job ID") {
		return nil
	}
	e.Job = job.V
	d.emit(&e)
	return nil
}

// jobStage reads one of the stages that a job may need.
func (d *Decoder) jobStage(j *jx.Decoder, to *[]ingest.StageInfo) error {
	info, ok, err := d.stageInfo(j, "Stage Infos")
	if err == nil && ok {
		*to = append(*to, info)
	}
	return err
}

// jobProperties picks what ties a job to other things.
func (d *Decoder) jobProperties(j *jx.Decoder, field string, p *ingest.JobProperties) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "spark.sql.execution.id":
			return d.intText(j, key, &p.Execution)
		case "spark.sql.execution.root.id":
			return d.intText(j, key, &p.RootExecution)
		case "spark.scheduler.pool":
			return d.string(j, key, &p.Pool)
		case "spark.jobGroup.id":
			return d.string(j, key, &p.Group)
		case "spark.job.description":
			return d.string(j, key, &p.Description)
		case "sql.streaming.queryId":
			return d.string(j, key, &p.QueryID)
		case "sql.streaming.runId":
			return d.string(j, key, &p.RunID)
		case "streaming.sql.batchId":
			return d.intText(j, key, &p.Batch)
		}
		return j.Skip()
	})
}

// intText reads an integer that the log writes as a string.
func (d *Decoder) intText(j *jx.Decoder, field string, to *table.I64) error {
	return d.text(j, field, func(b []byte) {
		if v, ok := parseInt(b); ok {
			*to = table.Some(v)
		} else {
			d.bad(field, b)
		}
	})
}

func (d *Decoder) jobEnd(j *jx.Decoder) error {
	e := ingest.JobEnd{At: d.at()}
	var job table.I64
	var result string
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Job ID":
			return d.int(j, key, &job)
		case "Completion Time": // since 1.3
			return d.int(j, key, &e.Ms)
		case "Job Result":
			return d.jobResult(j, key, &result, &e.Reason)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(result != "", "Job Result")
	if !d.need(job.OK, "Job ID") {
		return nil
	}
	e.Job, e.OK = job.V, result == "JobSucceeded"
	d.emit(&e)
	return nil
}

func (d *Decoder) jobResult(j *jx.Decoder, field string, result, reason *string) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "Result":
			return d.string(j, key, result)
		case "Exception":
			return d.object(j, key, func(j *jx.Decoder, key string) error {
				if key != "Message" {
					return j.Skip()
				}
				return d.message(j, key, reason)
			})
		}
		return j.Skip()
	})
}
