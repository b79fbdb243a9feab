package sparkgen

import (
	"strconv"
)

// version is what the log of one Spark release does and does not write.
type version struct {
	name           string
	partitionID    bool // Task Info has Partition ID (3.3)
	mapIsTask      bool // FetchFailed names the writing task, and the Map Index (3.0)
	barrier        bool // RDD Info has Barrier (3.0)
	deterministic  bool // RDD Info has DeterministicLevel (3.2)
	profiles       bool // resource profiles (3.1)
	skipNumbering  bool // a stage first seen available starts at attempt 1 (3.2.1)
	workerLostHost bool // a lost standalone worker takes the host's outputs of all its executors (3.1)
}

func spark35() version {
	return version{"3.5.5", true, true, true, true, true, true, true}
}

func spark24() version {
	return version{name: "2.4.8"}
}

// stageInfo is what the log says of a stage attempt.
type stageInfo struct {
	id, attempt    int
	name           string
	tasks          int
	rdds           []stageRDD // [0] is the stage's own
	parents        []int
	submit, finish int64 // 0: not yet
	failure        string
}

// stageRDD is an RDD as of the making of a stage attempt.
type stageRDD struct {
	*rdd
	isKept bool
}

// taskInfo is what the log says of a task attempt.
type taskInfo struct {
	task                 int
	index, attempt, part int
	launch, finish       int64
	worker, host         string
	locality             string
	speculative          bool
	failed, killed       bool
}

// taskMetrics are the metrics of a task attempt.
type taskMetrics struct {
	runMs, deserializeMs, gcMs     int64
	remoteBlocks, localBlocks      int64
	remoteBytes, localBytes        int64
	writtenBytes, writtenRecords   int64
	inputBytes, resultBytes        int64
	spilledMemory, spilledDisk     int64
	readRecords, fetchWaitMs, wrNs int64
}

// events writes Spark's event log, one JSON object a line.
type events struct {
	v     version
	b     []byte
	first bool // next member is the first of its object
	last  int64
	lines int64
}

// The members of an object, by the type of their value.

func (e *events) key(k string) {
	if !e.first {
		e.b = append(e.b, ',')
	}
	e.first = false
	e.b = append(e.b, '"')
	e.b = append(e.b, k...)
	e.b = append(e.b, '"', ':')
}

func (e *events) str(k, v string) {
	e.key(k)
	e.b = appendString(e.b, v)
}

func appendString(b []byte, v string) []byte {
	b = append(b, '"')
	for i := range len(v) {
		switch c := v[i]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

func (e *events) num(k string, v int64) {
	e.key(k)
	e.b = strconv.AppendInt(e.b, v, 10)
}

func (e *events) flag(k string, v bool) {
	e.key(k)
	e.b = strconv.AppendBool(e.b, v)
}

func (e *events) open(k string) {
	if k != "" {
		e.key(k)
	}
	e.b = append(e.b, '{')
	e.first = true
}

func (e *events) close() {
	e.b = append(e.b, '}')
	e.first = false
}

func (e *events) raw(k, v string) {
	e.key(k)
	e.b = append(e.b, v...)
}

func (e *events) ints(k string, v []int) {
	e.key(k)
	e.b = append(e.b, '[')
	for i, x := range v {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		e.b = strconv.AppendInt(e.b, int64(x), 10)
	}
	e.b = append(e.b, ']')
}

// at writes a time and remembers the latest one that the log has shown.
func (e *events) at(k string, ms int64) {
	e.num(k, ms)
	e.last = max(e.last, ms)
}

func (e *events) begin(event string) {
	e.open("")
	e.str("Event", event)
}

func (e *events) end() {
	e.close()
	e.b = append(e.b, '\n')
	e.lines++
}

// The events, in the order of a run.

func (e *events) logStart() {
	e.begin("SparkListenerLogStart")
	e.str("Spark Version", e.v.name)
	e.end()
}

func (e *events) profile(cores int) {
	if !e.v.profiles {
		return
	}
	e.begin("SparkListenerResourceProfileAdded")
	e.num("Resource Profile Id", 0)
	e.raw("Executor Resource Requests", `{"cores":{"Resource Name":"cores","Amount":`+strconv.Itoa(cores)+`,"Discovery Script":"","Vendor":""}}`)
	e.raw("Task Resource Requests", `{"cpus":{"Resource Name":"cpus","Amount":1.0}}`)
	e.end()
}

func (e *events) blockManagerID(worker, host string, port int) {
	e.open("Block Manager ID")
	e.str("Executor ID", worker)
	e.str("Host", host)
	e.num("Port", int64(port))
	e.close()
}

func (e *events) blockManagerAdded(worker, host string, port int, ms int64) {
	e.begin("SparkListenerBlockManagerAdded")
	e.blockManagerID(worker, host, port)
	e.num("Maximum Memory", 384093388)
	e.at("Timestamp", ms)
	e.num("Maximum Onheap Memory", 384093388)
	e.num("Maximum Offheap Memory", 0)
	e.end()
}

func (e *events) blockManagerRemoved(worker, host string, port int, ms int64) {
	e.begin("SparkListenerBlockManagerRemoved")
	e.blockManagerID(worker, host, port)
	e.at("Timestamp", ms)
	e.end()
}

func (e *events) environment(settings [][2]string) {
	e.begin("SparkListenerEnvironmentUpdate")
	e.raw("JVM Information", `{"Java Version":"17.0.15"}`)
	e.open("Spark Properties")
	for _, s := range settings {
		e.str(s[0], s[1])
	}
	e.close()
	e.raw("System Properties", `{"user.timezone":"Etc/UTC"}`)
	e.raw("Classpath Entries", `{}`)
	e.end()
}

func (e *events) appStart(name, id string, ms int64) {
	e.begin("SparkListenerApplicationStart")
	e.str("App Name", name)
	e.str("App ID", id)
	e.at("Timestamp", ms)
	e.str("User", "user")
	e.end()
}

func (e *events) appEnd(ms int64) {
	e.begin("SparkListenerApplicationEnd")
	e.at("Timestamp", ms)
	e.end()
}

func (e *events) executorAdded(worker, host string, cores int, ms int64) {
	e.begin("SparkListenerExecutorAdded")
	e.at("Timestamp", ms)
	e.str("Executor ID", worker)
	e.open("Executor Info")
	e.str("Host", host)
	e.num("Total Cores", int64(cores))
	e.raw("Log Urls", "{}")
	if e.v.profiles {
		e.raw("Attributes", "{}")
		e.raw("Resources", "{}")
		e.num("Resource Profile Id", 0)
		e.num("Registration Time", ms)
	}
	e.close()
	e.end()
}

func (e *events) executorRemoved(worker, reason string, ms int64) {
	e.begin("SparkListenerExecutorRemoved")
	e.at("Timestamp", ms)
	e.str("Executor ID", worker)
	e.str("Removed Reason", reason)
	e.end()
}

func (e *events) storageLevel(memory, disk bool, replication int) {
	e.open("Storage Level")
	e.flag("Use Disk", disk)
	e.flag("Use Memory", memory)
	if e.v.barrier {
		e.flag("Use Off Heap", false)
	}
	e.flag("Deserialized", memory)
	e.num("Replication", int64(replication))
	e.close()
}

func (e *events) stageInfo(s *stageInfo) {
	e.num("Stage ID", int64(s.id))
	e.num("Stage Attempt ID", int64(s.attempt))
	e.str("Stage Name", s.name)
	e.num("Number of Tasks", int64(s.tasks))
	e.key("RDD Info")
	e.b = append(e.b, '[')
	for i, r := range s.rdds {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		e.rddInfo(r)
	}
	e.b = append(e.b, ']')
	e.ints("Parent IDs", s.parents)
	e.str("Details", "")
	if s.submit != 0 {
		e.at("Submission Time", s.submit)
	}
	if s.finish != 0 {
		e.at("Completion Time", s.finish)
	}
	if s.failure != "" {
		e.str("Failure Reason", s.failure)
	}
	e.raw("Accumulables", "[]")
	if e.v.profiles {
		e.num("Resource Profile Id", 0)
	}
}

func (e *events) rddInfo(r stageRDD) {
	e.open("")
	e.num("RDD ID", int64(r.id))
	e.str("Name", r.class)
	e.str("Scope", `{"id":"`+strconv.Itoa(r.id)+`","name":"`+r.scope+`"}`)
	e.str("Callsite", r.scope+" at Gen.scala:"+strconv.Itoa(r.id+1))
	e.ints("Parent IDs", r.parentIDs())
	e.storageLevel(r.isKept, false, max(1, r.replication))
	if e.v.barrier {
		e.flag("Barrier", false)
	}
	if e.v.deterministic {
		level := "DETERMINATE"
		if r.indeterminate {
			level = "INDETERMINATE"
		}
		e.str("DeterministicLevel", level)
	}
	e.num("Number of Partitions", int64(r.parts))
	e.num("Number of Cached Partitions", 0)
	e.num("Memory Size", 0)
	e.num("Disk Size", 0)
	e.close()
}

func (e *events) jobStart(job int, ms int64, stages []*stageInfo) {
	e.begin("SparkListenerJobStart")
	e.num("Job ID", int64(job))
	e.at("Submission Time", ms)
	e.key("Stage Infos")
	e.b = append(e.b, '[')
	ids := make([]int, len(stages))
	for i, s := range stages {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		e.open("")
		e.stageInfo(s)
		e.close()
		ids[i] = s.id
	}
	e.b = append(e.b, ']')
	e.ints("Stage IDs", ids)
	e.raw("Properties", "{}")
	e.end()
}

func (e *events) jobEnd(job int, ms int64, failure string) {
	e.begin("SparkListenerJobEnd")
	e.num("Job ID", int64(job))
	e.at("Completion Time", ms)
	e.open("Job Result")
	if failure == "" {
		e.str("Result", "JobSucceeded")
	} else {
		e.str("Result", "JobFailed")
		e.raw("Exception", `{"Message":`+string(appendString(nil, failure))+`,"Stack Trace":[]}`)
	}
	e.close()
	e.end()
}

func (e *events) stageSubmitted(s *stageInfo) {
	e.begin("SparkListenerStageSubmitted")
	e.open("Stage Info")
	e.stageInfo(s)
	e.close()
	e.raw("Properties", "{}")
	e.end()
}

func (e *events) stageCompleted(s *stageInfo) {
	e.begin("SparkListenerStageCompleted")
	e.open("Stage Info")
	e.stageInfo(s)
	e.close()
	e.end()
}

func (e *events) taskInfo(t *taskInfo, finished bool) {
	e.open("Task Info")
	e.num("Task ID", int64(t.task))
	e.num("Index", int64(t.index))
	e.num("Attempt", int64(t.attempt))
	if e.v.partitionID {
		e.num("Partition ID", int64(t.part))
	}
	e.at("Launch Time", t.launch)
	e.str("Executor ID", t.worker)
	e.str("Host", t.host)
	e.str("Locality", t.locality)
	e.flag("Speculative", t.speculative)
	e.num("Getting Result Time", 0)
	if finished {
		e.at("Finish Time", t.finish)
	} else {
		e.num("Finish Time", 0)
	}
	e.flag("Failed", finished && t.failed)
	e.flag("Killed", finished && t.killed)
	e.raw("Accumulables", "[]")
	e.close()
}

func (e *events) taskStart(stage, attempt int, t *taskInfo) {
	e.begin("SparkListenerTaskStart")
	e.num("Stage ID", int64(stage))
	e.num("Stage Attempt ID", int64(attempt))
	e.taskInfo(t, false)
	e.end()
}

// endReason is the Task End Reason of a task end.
type endReason struct {
	reason string // Spark's name of it
	text   string
	worker string // ExecutorLostFailure
	byApp  bool

	// FetchFailed
	host            string // "": no address
	port            int
	shuffle         int
	mapID, mapIndex int
	reduce          int
}

func (e *events) taskEnd(stage, attempt int, kind string, t *taskInfo, r *endReason, m *taskMetrics) {
	e.begin("SparkListenerTaskEnd")
	e.num("Stage ID", int64(stage))
	e.num("Stage Attempt ID", int64(attempt))
	e.str("Task Type", kind)
	e.open("Task End Reason")
	e.str("Reason", r.reason)
	switch r.reason {
	case "FetchFailed":
		if r.host != "" {
			e.open("Block Manager Address")
			e.str("Executor ID", r.worker)
			e.str("Host", r.host)
			e.num("Port", int64(r.port))
			e.close()
		}
		e.num("Shuffle ID", int64(r.shuffle))
		e.num("Map ID", int64(r.mapID))
		if e.v.mapIsTask {
			e.num("Map Index", int64(r.mapIndex))
		}
		e.num("Reduce ID", int64(r.reduce))
		e.str("Message", r.text)
	case "ExecutorLostFailure":
		e.str("Executor ID", r.worker)
		e.flag("Exit Caused By App", r.byApp)
		e.str("Loss Reason", r.text)
	case "ExceptionFailure":
		e.str("Class Name", "java.lang.RuntimeException")
		e.str("Description", r.text)
		e.raw("Stack Trace", "[]")
		e.str("Full Stack Trace", "java.lang.RuntimeException: "+r.text)
		e.raw("Accumulator Updates", "[]")
	case "TaskKilled":
		e.str("Kill Reason", r.text)
		e.raw("Accumulator Updates", "[]")
	}
	e.close()
	e.taskInfo(t, true)
	if m != nil {
		e.metrics(m)
	}
	e.end()
}

func (e *events) metrics(m *taskMetrics) {
	e.open("Task Metrics")
	e.num("Executor Deserialize Time", m.deserializeMs)
	e.num("Executor Deserialize CPU Time", m.deserializeMs*900_000)
	e.num("Executor Run Time", m.runMs)
	e.num("Executor CPU Time", m.runMs*800_000)
	e.num("Peak Execution Memory", 0)
	e.num("Result Size", m.resultBytes)
	e.num("JVM GC Time", m.gcMs)
	e.num("Result Serialization Time", 0)
	e.num("Memory Bytes Spilled", m.spilledMemory)
	e.num("Disk Bytes Spilled", m.spilledDisk)
	e.open("Shuffle Read Metrics")
	e.num("Remote Blocks Fetched", m.remoteBlocks)
	e.num("Local Blocks Fetched", m.localBlocks)
	e.num("Fetch Wait Time", m.fetchWaitMs)
	e.num("Remote Bytes Read", m.remoteBytes)
	e.num("Remote Bytes Read To Disk", 0)
	e.num("Local Bytes Read", m.localBytes)
	e.num("Total Records Read", m.readRecords)
	e.close()
	e.open("Shuffle Write Metrics")
	e.num("Shuffle Bytes Written", m.writtenBytes)
	e.num("Shuffle Write Time", m.wrNs)
	e.num("Shuffle Records Written", m.writtenRecords)
	e.close()
	e.open("Input Metrics")
	e.num("Bytes Read", m.inputBytes)
	e.num("Records Read", 0)
	e.close()
	e.open("Output Metrics")
	e.num("Bytes Written", 0)
	e.num("Records Written", 0)
	e.close()
	e.raw("Updated Blocks", "[]")
	e.close()
}

// blockUpdated tells that a cached block is kept (bytes > 0) or kept no more.
func (e *events) blockUpdated(worker, host string, port, rdd, part int, bytes int64) {
	e.begin("SparkListenerBlockUpdated")
	e.open("Block Updated Info")
	e.blockManagerID(worker, host, port)
	e.str("Block ID", "rdd_"+strconv.Itoa(rdd)+"_"+strconv.Itoa(part))
	e.storageLevel(bytes > 0, false, 1)
	e.num("Memory Size", bytes)
	e.num("Disk Size", 0)
	e.close()
	e.end()
}

func (e *events) unpersist(rdd int) {
	e.begin("SparkListenerUnpersistRDD")
	e.num("RDD ID", int64(rdd))
	e.end()
}
