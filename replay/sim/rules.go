package sim

import (
	"strconv"
	"strings"
	"time"
)

// Discipline is how an engine makes lost work good.
type Discipline uint8

// Share is Spark's and the only discipline that is laid out in time so far:
// only what is missing is made again, and what it needs.
const Share Discipline = iota

// Rules are what an engine's version does about losses. They are read off the
// table of spark.go; nothing else in the package asks for a version.
type Rules struct {
	Engine     string
	Discipline Discipline

	// ResubmitRunning: a running stage queues the outputs again that it had
	// finished on a lost worker, needed or not, at once.
	ResubmitRunning bool
	// ResubmitMs: a stage that failed to fetch, and those that must repair its
	// inputs, are submitted again after this.
	ResubmitMs int64
	// StageFailures: attempts in a row that may fail to fetch before the job is
	// given up.
	StageFailures int
	// TaskFailures: failures of one task before the job is given up.
	TaskFailures int
	// LossCounts: a worker's loss counts as a failure of the tasks on it.
	LossCounts bool
	// ZombieMarks: a success of a replaced attempt takes its piece off the new
	// attempt's list.
	ZombieMarks bool
	// AsksDriver: a reader that cannot connect asks the coordinator whether the
	// worker is dead, and if so stops trying.
	AsksDriver bool

	// A reader's fetch: tries after the first, the wait between, and how long a
	// connection to a machine that does not answer is waited for.
	FetchRetries   int
	FetchWaitMs    int64
	FetchTimeoutMs int64
	// FetchFailMs is the time from a reader's launch until it has found out
	// that an output is gone when nothing has to be waited for.
	FetchFailMs int64

	// DetectMs: from a process's end to its being given up (a closed connection).
	DetectMs int64
	// Silence: a worker of which nothing is heard is given up when its last
	// heartbeat is older than SilenceMs at one of the checks.
	SilenceMs, HeartbeatMs, SilenceCheckMs int64

	// Migrates: a worker that is decommissioned hands its outputs on.
	Migrates bool
	// HostWide: with a machine that is given up the outputs that its service
	// kept are taken off the list, too; otherwise readers find out.
	HostWide bool
	// Service: outputs are kept by a service on each machine and outlive their
	// worker. Remote: they outlive the machine.
	Service, Remote bool
}

// SilentDetectMs is when a worker that vanished is given up, in the mean.
func (r *Rules) SilentDetectMs() int64 {
	return r.SilenceMs - r.HeartbeatMs/2 + r.SilenceCheckMs/2
}

// rule is one row of the table: a value that holds from a version on.
type rule struct {
	since int // 305 = Spark 3.5
	set   func(*Rules)
	cite  string
}

// sparkRules are Spark's rules, oldest first; a later row overrules an earlier
// one. The citations name the place in Spark's source.
func sparkRules() []rule {
	return []rule{
		{0, func(r *Rules) {
			*r = Rules{
				Engine: "spark", Discipline: Share,
				ResubmitRunning: true, // TaskSetManager.executorLost
				ResubmitMs:      200,  // DAGScheduler.RESUBMIT_TIMEOUT
				StageFailures:   4,    // Stage.MAX_CONSECUTIVE_FETCH_FAILURES
				TaskFailures:    4,    // spark.task.maxFailures
				LossCounts:      true, // TaskSetManager.handleFailedTask, ExecutorLostFailure.countTowardsTaskFailures
				FetchRetries:    3, FetchWaitMs: 5000,
				FetchTimeoutMs: 120_000, FetchFailMs: 500,
				DetectMs:  100,
				SilenceMs: 120_000, HeartbeatMs: 10_000, SilenceCheckMs: 60_000,
			}
		}, "core/src/main/scala/org/apache/spark/scheduler"},
		{202, func(r *Rules) { r.HostWide = true }, "DAGScheduler.handleWorkerRemoved (SPARK-20898): a standalone worker took its shuffle service along"},
		{204, func(r *Rules) { r.ZombieMarks = true }, "TaskSchedulerImpl.markPartitionCompletedInAllTaskSets (SPARK-23433)"},
		{300, func(r *Rules) { r.AsksDriver = true }, "NettyBlockTransferService.fetchBlocks, ExecutorDeadException (SPARK-27637)"},
		{304, func(r *Rules) { r.Migrates = true }, "spark.storage.decommission.shuffleBlocks.enabled is true by default (SPARK-40198)"},
	}
}

// sparkSettings are the settings that change a rule.
func sparkSettings() []struct {
	key string
	set func(*Rules, string)
} {
	ms := func(f func(*Rules) *int64) func(*Rules, string) {
		return func(r *Rules, v string) {
			if d, ok := sparkTime(v); ok {
				*f(r) = d
			}
		}
	}
	number := func(f func(*Rules) *int) func(*Rules, string) {
		return func(r *Rules, v string) {
			if n, err := strconv.Atoi(v); err == nil && n > 0 {
				*f(r) = n
			}
		}
	}
	return []struct {
		key string
		set func(*Rules, string)
	}{
		{"spark.network.timeout", func(r *Rules, v string) {
			if d, ok := sparkTime(v); ok {
				r.FetchTimeoutMs, r.SilenceMs = d, d
			}
		}},
		{"spark.storage.blockManagerHeartbeatTimeoutMs", ms(func(r *Rules) *int64 { return &r.SilenceMs })},
		{"spark.shuffle.io.connectionTimeout", ms(func(r *Rules) *int64 { return &r.FetchTimeoutMs })},
		{"spark.network.timeoutInterval", ms(func(r *Rules) *int64 { return &r.SilenceCheckMs })},
		{"spark.storage.blockManagerTimeoutIntervalMs", ms(func(r *Rules) *int64 { return &r.SilenceCheckMs })},
		{"spark.executor.heartbeatInterval", ms(func(r *Rules) *int64 { return &r.HeartbeatMs })},
		{"spark.shuffle.io.retryWait", ms(func(r *Rules) *int64 { return &r.FetchWaitMs })},
		{"spark.shuffle.io.maxRetries", number(func(r *Rules) *int { return &r.FetchRetries })},
		{"spark.task.maxFailures", number(func(r *Rules) *int { return &r.TaskFailures })},
		{"spark.stage.maxConsecutiveAttempts", number(func(r *Rules) *int { return &r.StageFailures })},
		{"spark.master", func(r *Rules, v string) { r.HostWide = r.HostWide && strings.HasPrefix(v, "spark://") }},
		{"spark.shuffle.service.enabled", func(r *Rules, v string) { r.Service = strings.EqualFold(v, "true") }},
		{"spark.storage.decommission.shuffleBlocks.enabled", func(r *Rules, v string) { r.Migrates = strings.EqualFold(v, "true") }},
		{"spark.shuffle.manager", func(r *Rules, v string) {
			v = strings.ToLower(v)
			for _, name := range []string{"celeborn", "uniffle", "rssshuffle", "remoteshuffle", "s3"} {
				r.Remote = r.Remote || strings.Contains(v, name)
			}
		}},
	}
}

// RulesFor reads the rules off an engine's version and settings.
func RulesFor(engine, version string, settings map[string]string) Rules {
	var r Rules
	v := versionNumber(version)
	for _, row := range sparkRules() {
		if v >= row.since {
			row.set(&r)
		}
	}
	for _, s := range sparkSettings() {
		if value, ok := settings[s.key]; ok {
			s.set(&r, value)
		}
	}
	if !strings.EqualFold(settings["spark.decommission.enabled"], "true") || !strings.EqualFold(settings["spark.storage.decommission.enabled"], "true") {
		r.Migrates = false
	}
	if engine != "" {
		r.Engine = engine
	}
	return r
}

// sparkTime reads a setting in Spark's form; a bare number is in ms, but for
// spark.network.timeout, where it is in seconds.
func sparkTime(v string) (int64, bool) {
	v = strings.TrimSpace(v)
	for _, u := range []struct {
		suffix string
		ms     float64
	}{{"ms", 1}, {"us", 0.001}, {"min", 60_000}, {"m", 60_000}, {"s", 1000}, {"h", 3_600_000}, {"d", 86_400_000}, {"", 1}} {
		if n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(v, u.suffix)), 10, 64); err == nil && strings.HasSuffix(v, u.suffix) {
			return time.Duration(float64(n) * u.ms * float64(time.Millisecond)).Milliseconds(), true
		}
	}
	return 0, false
}

// versionNumber turns "3.5.1" into 305; an unknown version counts as the newest.
func versionNumber(version string) int {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return 999
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(strings.TrimRight(parts[1], "-SNAPHOT"))
	if err1 != nil || err2 != nil {
		return 999
	}
	return major*100 + minor
}
