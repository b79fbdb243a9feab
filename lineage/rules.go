package lineage

import (
	"strconv"
	"strings"
)

// Rules are those of the engine's version that decide which outputs a loss
// takes. One row per difference; the source is Spark's own code, by version.
type Rules struct {
	// HostWide: a lost standalone worker process ("worker lost: ...") takes
	// the outputs of every executor on its host. Spark 2.3 and later
	// (TaskSchedulerImpl.workerRemoved, DAGScheduler.handleWorkerRemoved).
	HostWide bool
	// HostWideService: the same although a shuffle service kept the outputs,
	// since the service dies with the worker. Spark 2.2 and later.
	HostWideService bool
	// UnregisterHost: a failed fetch takes all outputs of the host
	// (spark.files.fetchFailure.unRegisterOutputOnHost, default false).
	UnregisterHost bool
	// MapIsTask: a fetch failure's Map ID is the task that wrote the output.
	// Spark 3.0 and later, unless spark.shuffle.useOldFetchProtocol.
	MapIsTask bool
	// FilesApart: that a worker was removed while a service kept its outputs
	// does not keep a later failed fetch from taking them all. Spark 2.4.7,
	// 3.0.1 and later (SPARK-32003); before, they fell one failed fetch at a time.
	FilesApart bool
}

// rulesFor reads the rules off the version and the settings.
func rulesFor(version string, settings map[string]string) Rules {
	v := versionNumber(version)
	p := patchNumber(version)
	return Rules{
		FilesApart:      v >= 301 || v == 300 && p >= 1 || v == 204 && p >= 7,
		HostWide:        v >= 203,
		HostWideService: v >= 202,
		UnregisterHost:  isTrue(settings["spark.files.fetchFailure.unRegisterOutputOnHost"]),
		MapIsTask:       v >= 300 && !isTrue(settings["spark.shuffle.useOldFetchProtocol"]),
	}
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

// patchNumber is the third number of a version, 0 if there is none.
func patchNumber(version string) int {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 3 {
		return 0
	}
	digits := strings.IndexFunc(parts[2], func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(parts[2])
	}
	n, _ := strconv.Atoi(parts[2][:digits])
	return n
}

// settingInt reads a number from a setting, with the engine's default.
func settingInt(s string, def int64) int64 {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	return def
}

// isTrue reads a boolean setting as the engine does: in upper or lower case.
func isTrue(s string) bool { return strings.EqualFold(strings.TrimSpace(s), "true") }
