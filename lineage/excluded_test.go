package lineage_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExcludedWorkersAreKilled: the engine kills what it has excluded with the
// words of an idle release; the exclusion before tells the two apart, where the
// engine was told to kill, and for the whole application.
func TestExcludedWorkersAreKilled(t *testing.T) {
	const excluded = `{"Event":"org.apache.spark.scheduler.SparkListenerExecutorExcluded","time":1500,"executorId":"1","taskFailures":2}`
	for _, c := range []struct{ name, setting, events, want string }{
		{"killed", "spark.excludeOnFailure.killExcludedExecutors", excluded, "exit excluded"},
		{"old name of the setting", "spark.blacklist.killBlacklistedExecutors", excluded, "exit excluded"},
		{
			"its machine", "spark.excludeOnFailure.killExcludedExecutors",
			`{"Event":"org.apache.spark.scheduler.SparkListenerNodeExcluded","time":1500,"hostId":"m1","executorFailures":2}`, "exit excluded",
		},
		{"not told to kill", "spark.x", excluded, "release idle"},
		{
			"taken back", "spark.excludeOnFailure.killExcludedExecutors",
			excluded + "\n" + `{"Event":"org.apache.spark.scheduler.SparkListenerExecutorUnexcluded","time":1600,"executorId":"1"}`, "release idle",
		},
		{"another worker", "spark.excludeOnFailure.killExcludedExecutors", strings.ReplaceAll(excluded, `"1"`, `"2"`), "release idle"},
		{
			"for one stage", "spark.excludeOnFailure.killExcludedExecutors",
			`{"Event":"org.apache.spark.scheduler.SparkListenerExecutorExcludedForStage","time":1500,"executorId":"1","taskFailures":2,"stageId":0,"stageAttemptId":0}`, "release idle",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "app-1")
			text := strings.Join([]string{
				`{"Event":"SparkListenerLogStart","Spark Version":"3.5.5"}`,
				`{"Event":"SparkListenerApplicationStart","App Name":"x","App ID":"app-1","Timestamp":1000,"User":"u"}`,
				`{"Event":"SparkListenerEnvironmentUpdate","JVM Information":{},"Spark Properties":{"` + c.setting + `":"true"},"Hadoop Properties":{},"System Properties":{},"Metrics Properties":{},"Classpath Entries":{}}`,
				`{"Event":"SparkListenerExecutorAdded","Timestamp":1100,"Executor ID":"1","Executor Info":{"Host":"m1","Total Cores":1,"Log Urls":{},"Attributes":{},"Resources":{},"Resource Profile Id":0}}`,
				c.events,
				`{"Event":"SparkListenerExecutorRemoved","Timestamp":2000,"Executor ID":"1","Removed Reason":"Executor killed by driver."}`,
			}, "\n") + "\n"
			if err := os.WriteFile(log, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			sink, _ := read(t, log)
			var got []string
			for _, r := range sink["removal"] {
				got = append(got, r.Text("kind")+" "+r.Text("cause"))
			}
			if len(got) != 1 || got[0] != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
