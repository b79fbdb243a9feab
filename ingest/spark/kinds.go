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

// reader reads one event of the kind it is for.
type reader = func(*Decoder, *jx.Decoder) error

// readerOf returns the reader of a kind, nil for kinds that are not read.
func readerOf(kind string) reader {
	switch kind {
	case kindTaskStart:
		return (*Decoder).taskStart
	case kindTaskEnd:
		return (*Decoder).taskEnd
	case "SparkListenerBlockUpdated":
		return (*Decoder).blockUpdated
	case "SparkListenerUnpersistRDD":
		return (*Decoder).unpersistRDD

	case "SparkListenerLogStart":
		return (*Decoder).logStart
	case "DBCEventLoggingListenerMetadata": // Databricks writes this instead
		return (*Decoder).databricksStart
	case "SparkListenerApplicationStart":
		return (*Decoder).applicationStart
	case "SparkListenerApplicationEnd":
		return (*Decoder).applicationEnd
	case "SparkListenerEnvironmentUpdate":
		return (*Decoder).environmentUpdate

	case "SparkListenerResourceProfileAdded":
		return (*Decoder).resourceProfileAdded
	case "SparkListenerExecutorAdded":
		return (*Decoder).executorAdded
	case "SparkListenerExecutorRemoved":
		return (*Decoder).executorRemoved
	case "SparkListenerBlockManagerAdded":
		return (*Decoder).blockManagerAdded
	case "SparkListenerBlockManagerRemoved":
		return (*Decoder).blockManagerRemoved

	case "SparkListenerJobStart":
		return (*Decoder).jobStart
	case "SparkListenerJobEnd":
		return (*Decoder).jobEnd
	case "SparkListenerStageSubmitted":
		return (*Decoder).stageSubmitted
	case "SparkListenerStageCompleted":
		return (*Decoder).stageCompleted

	case "SparkListenerSQLExecutionStart":
		return (*Decoder).sqlExecutionStart
	case "SparkListenerSQLAdaptiveExecutionUpdate":
		return (*Decoder).sqlPlanUpdate
	case "SparkListenerSQLExecutionEnd":
		return (*Decoder).sqlExecutionEnd

	case "QueryStartedEvent":
		return (*Decoder).queryStarted
	case "QueryProgressEvent":
		return (*Decoder).queryProgress
	case "QueryIdleEvent":
		return (*Decoder).queryIdle
	case "QueryTerminatedEvent":
		return (*Decoder).queryTerminated
	}
	return exclusionReader(kind)
}

// exclusionReader is readerOf for the events about workers and machines that
// get no more tasks: "Blacklisted" up to 3.0, both spellings from 3.1 on.
func exclusionReader(kind string) reader {
	switch kind {
	case "SparkListenerExecutorBlacklisted", "SparkListenerExecutorBlacklistedForStage",
		"SparkListenerNodeBlacklisted", "SparkListenerNodeBlacklistedForStage",
		"SparkListenerExecutorExcluded", "SparkListenerExecutorExcludedForStage",
		"SparkListenerNodeExcluded", "SparkListenerNodeExcludedForStage":
		return (*Decoder).excluded
	case "SparkListenerExecutorUnblacklisted", "SparkListenerNodeUnblacklisted",
		"SparkListenerExecutorUnexcluded", "SparkListenerNodeUnexcluded":
		return (*Decoder).takenBack
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
func known(kind string) bool { return readerOf(kind) != nil || leftAlone(kind) }

// decodeKind reads an event of the kind found. What is not read is still
// checked to be JSON.
func (d *Decoder) decodeKind(j *jx.Decoder) error {
	if read := readerOf(d.kind); read != nil {
		return read(d, j)
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
