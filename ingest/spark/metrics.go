package spark

import (
	"bytes"

	"github.com/go-faster/jx"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

// taskMetrics reads the metrics of a task and the blocks among them.
func (d *Decoder) taskMetrics(j *jx.Decoder, field string, m *ingest.Metrics, blocks *[]ingest.BlockUpdate) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		return d.taskMetric(j, key, m, blocks)
	})
}

func (d *Decoder) taskMetric(j *jx.Decoder, key string, m *ingest.Metrics, blocks *[]ingest.BlockUpdate) error {
	if isMetricsGroup(key) {
		if key == "Updated Blocks" {
			return d.updatedBlocks(j, key, blocks)
		}
		return d.metricsGroup(j, key, key, m)
	}
	if to := taskMetric(m, key); to != nil {
		return d.int(j, key, to)
	}
	return j.Skip()
}

// isMetricsGroup tells the parts of Task Metrics that are no numbers.
func isMetricsGroup(key string) bool {
	switch key {
	case "Shuffle Read Metrics", "Shuffle Write Metrics", "Input Metrics", "Output Metrics", "Updated Blocks":
		return true
	}
	return false
}

// metricsGroup reads a group of metrics, and the group inside of it.
func (d *Decoder) metricsGroup(j *jx.Decoder, field, group string, m *ingest.Metrics) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		if group == "Shuffle Read Metrics" && key == "Push Based Shuffle" {
			return d.metricsGroup(j, key, key, m)
		}
		if to := groupMetric(m, group, key); to != nil {
			return d.int(j, key, to)
		}
		return j.Skip()
	})
}

// taskMetric is where a number directly in Task Metrics belongs, nil for those
// that are not kept.
func taskMetric(m *ingest.Metrics, key string) *table.I64 {
	switch key {
	case "Executor Deserialize Time":
		return &m.DeserializeMs
	case "Executor Deserialize CPU Time":
		return &m.DeserializeCPUNs
	case "Executor Run Time":
		return &m.RunMs
	case "Executor CPU Time":
		return &m.CPUNs
	case "Peak Execution Memory":
		return &m.PeakMemoryBytes
	case "Result Size":
		return &m.ResultBytes
	case "JVM GC Time":
		return &m.GCMs
	case "Result Serialization Time":
		return &m.ResultSerializeMs
	case "Memory Bytes Spilled":
		return &m.MemorySpilledBytes
	case "Disk Bytes Spilled":
		return &m.DiskSpilledBytes
	}
	return nil
}

// groupMetric is where a number in a group belongs, nil for those not kept.
func groupMetric(m *ingest.Metrics, group, key string) *table.I64 {
	switch group {
	case "Shuffle Read Metrics":
		return readMetric(m, key)
	case "Push Based Shuffle":
		return mergedMetric(m, key)
	case "Shuffle Write Metrics":
		return writeMetric(m, key)
	case "Input Metrics":
		return pick(key, "Bytes Read", &m.InputBytes, "Records Read", &m.InputRecords)
	case "Output Metrics":
		return pick(key, "Bytes Written", &m.OutputBytes, "Records Written", &m.OutputRecords)
	}
	return nil
}

func readMetric(m *ingest.Metrics, key string) *table.I64 {
	switch key {
	case "Remote Blocks Fetched":
		return &m.RemoteBlocks
	case "Local Blocks Fetched":
		return &m.LocalBlocks
	case "Fetch Wait Time":
		return &m.FetchWaitMs
	case "Remote Bytes Read":
		return &m.RemoteReadBytes
	case "Remote Bytes Read To Disk":
		return &m.RemoteToDiskBytes
	case "Local Bytes Read":
		return &m.LocalReadBytes
	case "Total Records Read":
		return &m.ReadRecords
	}
	return nil
}

func mergedMetric(m *ingest.Metrics, key string) *table.I64 {
	return pick(key, "Merged Remote Blocks Fetched", &m.MergedRemoteBlocks,
		"Merged Local Blocks Fetched", &m.MergedLocalBlocks)
}

func writeMetric(m *ingest.Metrics, key string) *table.I64 {
	switch key {
	case "Shuffle Bytes Written":
		return &m.WrittenBytes
	case "Shuffle Write Time":
		return &m.WriteNs
	case "Shuffle Records Written":
		return &m.WrittenRecords
	}
	return nil
}

func pick(key, a string, toA *table.I64, b string, toB *table.I64) *table.I64 {
	switch key {
	case a:
		return toA
	case b:
		return toB
	}
	return nil
}

// peakMemory looks in a task's accumulables for the metric that logs before
// 3.0 have only there. accumulables is JSON, or broken, or nothing.
func (d *Decoder) peakMemory(accumulables []byte) (peak table.I64) {
	const name = "internal.metrics.peakExecutionMemory"
	if !bytes.Contains(accumulables, []byte(name)) {
		return peak
	}
	d.nested.ResetBytes(accumulables)
	err := d.nested.Arr(func(j *jx.Decoder) error {
		var found bool
		var update []byte
		err := j.ObjBytes(func(j *jx.Decoder, key []byte) (err error) {
			switch string(key) {
			case "Name":
				var raw []byte
				raw, err = j.Raw()
				found = string(raw) == `"`+name+`"`
				return err
			case "Update":
				update, err = j.Raw()
				return err
			}
			return j.Skip()
		})
		if v, ok := parseInt(update); ok && found {
			peak = table.Some(v)
		}
		return err
	})
	if err != nil {
		return table.I64{}
	}
	return peak
}
