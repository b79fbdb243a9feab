package spark

import (
	"bytes"

	"github.com/go-faster/jx"
)

// The two kinds that are nearly all of a log.
const (
	kindTaskStart = "SparkListenerTaskStart"
	kindTaskEnd   = "SparkListenerTaskEnd"
)

// reader returns the method that reads events of a kind, nil for kinds that
// are not read.
func (d *Decoder) reader(kind string) func(*jx.Decoder) error {
	switch kind {
	case kindTaskStart:
		return d.taskStart
	case kindTaskEnd:
		return d.taskEnd
	case "SparkListenerBlockUpdated":
		return d.blockUpdated
	case "SparkListenerUnpersistRDD":
		return d.unpersistRDD

	case "SparkListenerLogStart":
		return d.logStart
	case "DBCEventLoggingListenerMetadata": // Databricks writes this instead
		return d.databricksStart
	case "SparkListenerApplicationStart":
		return d.applicationStart
	case "SparkListenerApplicationEnd":
		return d.applicationEnd
	case "SparkListenerEnvironmentUpdate":
		return d.environmentUpdate

	case "SparkListenerResourceProfileAdded":
		return d.resourceProfileAdded
	case "SparkListenerExecutorAdded":
		return d.executorAdded
	case "SparkListenerExecutorRemoved":
		return d.executorRemoved
	case "SparkListenerBlockManagerAdded":
		return d.blockManagerAdded
	case "SparkListenerBlockManagerRemoved":
		return d.blockManagerRemoved

	case "SparkListenerJobStart":
		return d.jobStart
	case "SparkListenerJobEnd":
		return d.jobEnd
	case "SparkListenerStageSubmitted":
		return d.stageSubmitted
	case "SparkListenerStageCompleted":
		return d.stageCompleted

	case "SparkListenerSQLExecutionStart":
		return d.sqlExecutionStart
	case "SparkListenerSQLAdaptiveExecutionUpdate":
		return d.sqlPlanUpdate
	case "SparkListenerSQLExecutionEnd":
		return d.sqlExecutionEnd

	case "QueryStartedEvent":
		return d.queryStarted
	case "QueryProgressEvent":
		return d.queryProgress
	case "QueryIdleEvent":
		return d.queryIdle
	case "QueryTerminatedEvent":
		return d.queryTerminated
	}
	return d.exclusionReader(kind)
}

// exclusionReader is reader for the events about workers and machines that
// get no more tasks: "Blacklisted" up to 3.0, both spellings from 3.1 on.
func (d *Decoder) exclusionReader(kind string) func(*jx.Decoder) error {
	switch kind {
	case "SparkListenerExecutorBlacklisted", "SparkListenerExecutorBlacklistedForStage",
		"SparkListenerNodeBlacklisted", "SparkListenerNodeBlacklistedForStage",
		"SparkListenerExecutorExcluded", "SparkListenerExecutorExcludedForStage",
		"SparkListenerNodeExcluded", "SparkListenerNodeExcludedForStage":
		return d.excluded
	case "SparkListenerExecutorUnblacklisted", "SparkListenerNodeUnblacklisted",
		"SparkListenerExecutorUnexcluded", "SparkListenerNodeUnexcluded":
		return d.takenBack
	}
	return nil
}

// leftAlone tells whether a kind is Spark's own but says nothing that we use.
func leftAlone(kind string) bool {
	switch kind {
	case "SparkListenerTaskGettingResult",
		"SparkListenerSpeculativeTaskSubmitted",
		"SparkListenerUnschedulableTaskSetAdded",
		"SparkListenerUnschedulableTaskSetRemoved",
		"SparkListenerExecutorMetricsUpdate",
		"SparkListenerStageExecutorMetrics",
		"SparkListenerMiscellaneousProcessAdded",
		"SparkListenerDriverAccumUpdates",
		"SparkListenerSQLAdaptiveSQLMetricUpdates":
		return true
	}
	return isSession(kind) || isCatalog(kind) || isPipeline(kind)
}

// isSession tells the events of the Thrift server and of Spark Connect.
func isSession(kind string) bool {
	switch kind {
	case "SparkListenerThriftServerSessionCreated", "SparkListenerThriftServerSessionClosed",
		"SparkListenerThriftServerOperationStart", "SparkListenerThriftServerOperationParsed",
		"SparkListenerThriftServerOperationCanceled", "SparkListenerThriftServerOperationTimeout",
		"SparkListenerThriftServerOperationError", "SparkListenerThriftServerOperationFinish",
		"SparkListenerThriftServerOperationClosed",
		"SparkListenerConnectServiceStarted", "SparkListenerConnectServiceEnd",
		"SparkListenerConnectSessionStarted", "SparkListenerConnectSessionClosed",
		"SparkListenerConnectOperationStarted", "SparkListenerConnectOperationAnalyzed",
		"SparkListenerConnectOperationReadyForExecution", "SparkListenerConnectOperationCanceled",
		"SparkListenerConnectOperationFailed", "SparkListenerConnectOperationFinished",
		"SparkListenerConnectOperationClosed":
		return true
	}
	return false
}

// isCatalog tells the events of the catalog.
func isCatalog(kind string) bool {
	switch kind {
	case "CreateDatabasePreEvent", "CreateDatabaseEvent", "DropDatabasePreEvent", "DropDatabaseEvent",
		"AlterDatabasePreEvent", "AlterDatabaseEvent",
		"CreateTablePreEvent", "CreateTableEvent", "DropTablePreEvent", "DropTableEvent",
		"RenameTablePreEvent", "RenameTableEvent", "AlterTablePreEvent", "AlterTableEvent",
		"CreateFunctionPreEvent", "CreateFunctionEvent", "DropFunctionPreEvent", "DropFunctionEvent",
		"AlterFunctionPreEvent", "AlterFunctionEvent", "RenameFunctionPreEvent", "RenameFunctionEvent":
		return true
	}
	return false
}

// isPipeline tells the events of machine learning pipelines.
func isPipeline(kind string) bool {
	switch kind {
	case "FitStart", "FitEnd", "TransformStart", "TransformEnd",
		"LoadInstanceStart", "LoadInstanceEnd", "SaveInstanceStart", "SaveInstanceEnd":
		return true
	}
	return false
}

// known tells whether a kind is read or left alone on purpose.
func (d *Decoder) known(kind string) bool {
	return d.reader(kind) != nil || leftAlone(kind)
}

// decodeKind reads an event of the kind found. What is not read is still
// checked to be JSON.
func (d *Decoder) decodeKind(j *jx.Decoder) error {
	if read := d.reader(d.kind); read != nil {
		return read(j)
	}
	return j.Skip()
}

// findClass returns the class name of the event. It is valid until the next
// read. As a rule it is the first field; if not, the line is searched for it.
func (d *Decoder) findClass() ([]byte, error) {
	if class, ok := firstClass(d.line); ok {
		return class, nil
	}
	d.jx.ResetBytes(d.line)
	if d.jx.Next() != jx.Object {
		return nil, errNoObject
	}
	var class []byte
	err := d.object(&d.jx, "", func(j *jx.Decoder, key string) error {
		if key != "Event" {
			return j.Skip()
		}
		return d.text(j, key, func(b []byte) { class = append(class[:0], b...) })
	})
	d.need(class != nil || err != nil, "Event")
	return class, err
}

// firstClass returns the class name where it is the first field, written as
// Spark writes it.
func firstClass(line []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"Event":"`))
	if !ok {
		return nil, false
	}
	end := bytes.IndexByte(rest, '"')
	if end <= 0 || bytes.IndexByte(rest[:end], '\\') >= 0 {
		return nil, false
	}
	return rest[:end], true
}
