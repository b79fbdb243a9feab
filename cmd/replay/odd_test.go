package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Numbers in a small log that cannot be meant: the whole pipeline reads it to
// the end, with or without problems.
func TestOddNumbers(t *testing.T) {
	text, err := os.ReadFile("testdata/odd/small.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string][]string{
		"time goes back":          {`"Finish Time": 3000`, `"Finish Time": 100`},
		"time jumps ahead":        {`"Finish Time": 3000`, `"Finish Time": 9999999999999`},
		"time of another age":     {`"Timestamp": 1000`, `"Timestamp": 99999999999999`, `"Finish Time": 3000`, `"Finish Time": 4398046511102`},
		"time is all there is":    {`"Finish Time": 3000`, `"Finish Time": 9223372036854775807`},
		"launch before all time":  {`"Launch Time": 2220`, `"Launch Time": -9223372036854775808`},
		"start after all time":    {`"Timestamp": 1000`, `"Timestamp": 9223372036854775807`},
		"ends before it starts":   {`"Finish Time": 2000`, `"Finish Time": 5`},
		"negative size":           {`"Shuffle Bytes Written": 100`, `"Shuffle Bytes Written": -100`},
		"size of all sizes":       {`"Shuffle Bytes Written": 100`, `"Shuffle Bytes Written": 9223372036854775807`},
		"negative index":          {`"Index": 1`, `"Index": -1`, `"Partition ID": 1`, `"Partition ID": -1`},
		"enormous index":          {`"Index": 1`, `"Index": 2147483647`, `"Partition ID": 1`, `"Partition ID": 9223372036854775807`},
		"enormous dataset":        {`"Number of Partitions": 2`, `"Number of Partitions": 2147483647`},
		"enormous stage":          {`"Number of Tasks": 2`, `"Number of Tasks": 2000000000`},
		"its own parent":          {`"RDD ID": 0, "Name": "r", "Parent IDs": []`, `"RDD ID": 0, "Name": "r", "Parent IDs": [0]`},
		"task id beyond 2^53":     {`"Task ID": 3`, `"Task ID": 9007199254740993`},
		"no cores":                {`"Total Cores": 2`, `"Total Cores": 0`},
		"a worker without a name": {`"Executor ID": "2"`, `"Executor ID": ""`},
	} {
		t.Run(name, func(t *testing.T) {
			for i := 0; i < len(r); i += 2 {
				if !strings.Contains(string(text), r[i]) {
					t.Fatalf("the log has no %s", r[i])
				}
			}
			dir := t.TempDir()
			log := filepath.Join(dir, "log.json")
			if err := os.WriteFile(log, []byte(strings.NewReplacer(r...).Replace(string(text))), 0o666); err != nil {
				t.Fatal(err)
			}
			var errs bytes.Buffer
			code := run(t.Context(), []string{"report", log, "-o", filepath.Join(dir, "out")}, nil, io.Discard, &errs)
			if code != exitDone && code != exitProblems {
				t.Errorf("exit %d: %s", code, &errs)
			}
		})
	}
}

// Logs with hardly anything in them are read, or refused with a reason.
func TestTinyLogs(t *testing.T) {
	const (
		start   = `{"Event":"SparkListenerLogStart","Spark Version":"3.5.0"}`
		app     = `{"Event":"SparkListenerApplicationStart","App Name":"x","App ID":"app-1","Timestamp":1000,"User":"u"}`
		end     = `{"Event":"SparkListenerApplicationEnd","Timestamp":1000}`
		worker  = `{"Event":"SparkListenerExecutorAdded","Timestamp":1000,"Executor ID":"1","Executor Info":{"Host":"h1","Total Cores":2}}`
		removed = `{"Event":"SparkListenerExecutorRemoved","Timestamp":1000,"Executor ID":"1","Removed Reason":"x"}`
		job     = `{"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":1000,"Stage Infos":[],"Stage IDs":[]}`
		jobEnd  = `{"Event":"SparkListenerJobEnd","Job ID":0,"Completion Time":1000,"Job Result":{"Result":"JobSucceeded"}}`
		stage   = `{"Event":"SparkListenerStageSubmitted","Stage Info":{"Stage ID":0,"Stage Attempt ID":0,"Stage Name":"s","Number of Tasks":0,"RDD Info":[],"Parent IDs":[]}}`
	)
	for name, lines := range map[string][]string{
		"one event":           {start},
		"two events":          {start, app},
		"no time between":     {start, app, end},
		"a worker":            {start, app, worker, end},
		"a removal":           {start, app, worker, removed, end},
		"a job of no stage":   {start, app, worker, job, jobEnd, end},
		"a stage of no task":  {start, app, worker, job, stage, jobEnd, end},
		"an end alone":        {end},
		"a job without start": {start, app, jobEnd},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			log := filepath.Join(dir, "log.json")
			if err := os.WriteFile(log, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			var errs bytes.Buffer
			code := run(t.Context(), []string{"report", log, "-o", filepath.Join(dir, "out")}, nil, io.Discard, &errs)
			if code == exitUsage || code == exitFailed && strings.Contains(errs.String(), "query ") {
				t.Errorf("exit %d: %s", code, &errs)
			}
			t.Logf("exit %d: %s", code, &errs)
		})
	}
}

// What losses cost adds up: all slot time less that of each piece's first
// success, reckoned from the log alone, is what explain blames on removals.
func TestRerunsAddUp(t *testing.T) {
	for _, name := range []string{"linear-withdrawal", "linear-repair-hit", "diamond-withdrawal", "cached-withdrawal", "sql-withdrawal"} {
		t.Run(name, func(t *testing.T) {
			log := "../../sampletraces/" + name + ".zstd"
			var got int64
			for _, r := range csvOf(t, "explain", log) {
				ms, err := strconv.ParseInt(r["rerun_ms"], 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				got += ms
			}
			if want := repeated(t, log); got != want {
				t.Errorf("removals cost %d ms in all, the log shows %d", got, want)
			}
		})
	}
}

// repeated is the slot time of a log beyond the first success of each piece.
func repeated(t *testing.T, path string) (ms int64) {
	t.Helper()
	type piece struct{ stage, rdd, partition int64 }
	done, rddOf := map[piece]bool{}, map[int64]int64{}
	for dec := json.NewDecoder(strings.NewReader(unzstd(t, path))); ; {
		var e struct {
			Event string
			Info  struct {
				ID   int64 `json:"Stage ID"`
				RDDs []struct {
					ID int64 `json:"RDD ID"`
				} `json:"RDD Info"`
			} `json:"Stage Info"`
			Stage  int64                   `json:"Stage ID"`
			Type   string                  `json:"Task Type"`
			Reason struct{ Reason string } `json:"Task End Reason"`
			Task   struct {
				Partition int64 `json:"Partition ID"`
				Launch    int64 `json:"Launch Time"`
				Finish    int64 `json:"Finish Time"`
			} `json:"Task Info"`
		}
		if err := dec.Decode(&e); err == io.EOF {
			return ms
		} else if err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Event == "SparkListenerStageSubmitted":
			rddOf[e.Info.ID] = e.Info.RDDs[0].ID
		case e.Event == "SparkListenerTaskEnd" && e.Reason.Reason != "Resubmitted":
			p := piece{e.Stage, -1, e.Task.Partition}
			if e.Type == "ShuffleMapTask" {
				p = piece{-1, rddOf[e.Stage], e.Task.Partition}
			}
			if e.Reason.Reason == "Success" && !done[p] {
				done[p] = true
				continue
			}
			ms += e.Task.Finish - e.Task.Launch
		}
	}
}
