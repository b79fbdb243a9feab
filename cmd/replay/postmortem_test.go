package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tracereplay/analysis/postmortem"
	"tracereplay/cmd/replay/internal/report/gather"
	"tracereplay/internal/duck"
	"tracereplay/internal/human"
	"tracereplay/replay"
)

var update = flag.Bool("update", false, "rewrite the golden files of explanations; read their difference")

// samples are all logs in sampletraces, by name: a file, or the directory in
// which a rolling one lies.
func samples(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*.zstd", "*.lz4", "*.lzf", "*.snappy", "*.inprogress", "*.rolling"} {
		found, err := filepath.Glob(filepath.Join("../../sampletraces", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			out[strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))] = path
		}
	}
	if len(out) < 25 {
		t.Fatalf("only %d sample logs", len(out))
	}
	return out
}

// readOnce ingests a log.
func readOnce(t *testing.T, log string) string {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace.duckdb")
	var errs bytes.Buffer
	if code := run(t.Context(), []string{"ingest", log, "-o", trace}, nil, &bytes.Buffer{}, &errs); code != exitDone && code != exitProblems {
		t.Fatalf("ingest %s: exit %d: %s", log, code, &errs)
	}
	return trace
}

// output runs a command line and returns what it prints.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != exitDone && code != exitProblems {
		t.Fatalf("replay %v: exit %d: %s", args, code, &errs)
	}
	return out.String()
}

// TestSampleExplanations: the text of every sample's explanation is a golden
// file; the removals in it are what the lab did; each number of the text is
// what the query beside it answers; and the timeline shows, in its colours of
// losses, just the slot time that the text says was lost.
func TestSampleExplanations(t *testing.T) {
	logs := samples(t)
	for _, name := range slices.Sorted(maps.Keys(logs)) {
		t.Run(name, func(t *testing.T) {
			path := readOnce(t, logs[name])
			golden(t, filepath.Join("testdata", "explain", name+".txt"), output(t, "explain", path))
			tr, err := replay.Open(t.Context(), path, replay.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer tr.Close()
			e, err := replay.Explain(t.Context(), tr.DB(), tr.Apps[0].App)
			if err != nil {
				t.Fatal(err)
			}
			checkTruth(t, name, e)
			checkNumbers(t, tr, e)
			checkTimeline(t, tr, e)
		})
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; -update rewrites it. Got:\n%s", path, got)
	}
}

// truth is what the lab says that it did to a run.
type truth struct {
	Actions []struct {
		Kind     string `json:"kind"`
		UnitKind string `json:"unit_kind"`
		Unit     string `json:"unit"`
		WallMs   int64  `json:"wall_ms"`
	} `json:"actions"`
}

// kindsOf are the kinds of removal that an action of the lab shows as.
func kindsOf(action string) []string {
	return map[string][]string{
		"withdrawal": {"withdrawal"}, "silent": {"withdrawal"}, "exit": {"exit"}, "decommission": {"release"},
	}[action]
}

// checkTruth compares the removals with the lab's own record: each loss that
// was made is told, of the right unit and kind, gone between the bounds. What
// the engine gave back by itself is no action of the lab's.
func checkTruth(t *testing.T, name string, e *replay.Explanation) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../sampletraces", strings.TrimSuffix(name, ".zstd")+".json"))
	if os.IsNotExist(err) { // the second log of a run
		return
	}
	var done truth
	if err != nil || json.Unmarshal(text, &done) != nil {
		t.Fatalf("truth of %s: %v", name, err)
	}
	told := 0
	for _, a := range done.Actions {
		kinds := kindsOf(a.Kind)
		if kinds == nil {
			continue
		}
		found := false
		for _, r := range e.Removals {
			if r.Unit == a.Unit && r.UnitKind == a.UnitKind {
				found = true
				if r.Kind != kinds[0] {
					t.Errorf("removal %d of %s is %s, the lab did %s", r.Removal, r.Unit, r.Kind, a.Kind)
				}
				// The lab notes the instant before the kill returns, on the same clock.
				if r.GoneLowMs.OK && r.GoneLowMs.V > a.WallMs+2000 || r.DetectedMs < a.WallMs-2000 {
					t.Errorf("removal %d of %s: gone from %d on, noticed at %d; the lab did it at %d", r.Removal, r.Unit, r.GoneLowMs.V, r.DetectedMs, a.WallMs)
				}
			}
		}
		if !found {
			t.Errorf("the lab's %s of %s %s is not told", a.Kind, a.UnitKind, a.Unit)
		}
		told++
	}
	for _, r := range e.Removals {
		if r.Kind != "release" && told == 0 {
			t.Errorf("removal %d (%s of %s) was not done by the lab", r.Removal, r.Kind, r.Unit)
		}
	}
	for _, r := range e.Reruns {
		if !r.Removal.OK && r.Why != "speculation" && e.Story.OrphanFetches == 0 {
			t.Errorf("task %d ran again (%s), and no removal is to blame", r.RerunTask, r.Why)
		}
	}
}

// checkNumbers asks for each number again with the query that stands beside it.
func checkNumbers(t *testing.T, tr *replay.Trace, e *replay.Explanation) {
	t.Helper()
	in := postmortem.Input{Story: e.Story, Removals: e.Removals, Reruns: e.Reruns, Chain: e.Chain, Clock: human.Clock{}}
	for _, app := range []string{"", tr.Apps[0].App} {
		for _, n := range postmortem.Numbers(in, app) {
			got, err := duck.QueryOne[int64](t.Context(), tr.DB(), n.SQL)
			if err != nil || got != n.Value {
				t.Errorf("%s is %d in the text, and %d by %s (%v)", n.Words, n.Value, got, n.SQL, err)
			}
		}
	}
}

// checkTimeline adds up the bars that are told apart as lost: they are what the
// removals cost, no more and no less.
func checkTimeline(t *testing.T, tr *replay.Trace, e *replay.Explanation) {
	t.Helper()
	in, err := gather.Losses(t.Context(), tr, gather.Options{App: tr.Apps[0].App})
	if err != nil {
		t.Fatal(err)
	}
	var drawn, want int64
	for _, a := range in.Timeline.Attempts {
		if a.What == "again" || a.What == "cut" {
			drawn += a.ToMs - a.FromMs
		}
	}
	for _, r := range e.Removals {
		want += r.RerunMs
	}
	if e.Story.OrphanFetches == 0 && drawn != want {
		t.Errorf("the timeline shows %d ms as lost, the removals cost %d", drawn, want)
	}
}

// lineOnPage is a command line in the notes of a page, after its number.
var lineOnPage = regexp.MustCompile(`<data value="(-?\d+)" title="loss_numbers[^>]*>[^<]*</data></td><td class="l"><code>(replay sql [^<]*)</code>`)

// TestReportLines runs each line of a report's notes beside its trace.duckdb,
// as a reader would.
func TestReportLines(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "report")
	output(t, "report", "../../sampletraces/linear-exit.zstd", "-o", out)
	page, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := bytes.Index(page, []byte(`id="loss"`)), bytes.Index(page, []byte(`id="heatmap"`)); a < 0 || b < a {
		t.Error("the loss does not come first")
	}
	t.Chdir(out)
	found := lineOnPage.FindAllStringSubmatch(string(page), -1)
	if len(found) < 15 {
		t.Fatalf("%d lines in the notes", len(found))
	}
	for _, m := range found {
		line := words(html.UnescapeString(m[2]))
		if got := strings.Fields(output(t, append(line[1:], "--format", "csv")...)); got[len(got)-1] != m[1] {
			t.Errorf("%v answers %v, the page says %s", line, got, m[1])
		}
	}
}

// TestCorpusRemovals: what removed the workers of public logs, as the logs say.
func TestCorpusRemovals(t *testing.T) {
	for _, c := range []struct {
		log, kind, cause, words string // of every removal
		removals                int
		text                    []string
	}{
		// "Removed Reason":"Executor Process Lost" says nothing of why.
		{"01-rapids-exec-lost-fetchfailed.zstd", "unknown", "disconnect", "Executor Process Lost", 2, []string{
			"152 ms after [1]", "The log does not say why",
			"5 were needed and never run again: the application ended first.", "20 were needed and never run again: the application ended first.",
			"2 readers elsewhere failed to fetch", "re-queued 27 ended tasks", "re-queued 23 ended tasks",
		}},
		// "Container marked as failed: ... Exit status: 56": the process ended with a code.
		{"02-yarn-exec-oom-x8", "exit", "exit_code", "Exit status: 56", 8, []string{
			"1 task was cut off in flight",
			"piece 0 of stage 7 (removals 1, 2); piece 1 of stage 9 (removals 5, 6); piece 0 of stage 13 (removals 7, 8). The work itself may have killed them",
		}},
		// 47 executors that came and went without work.
		{"10-exec-crashloop-47removed.zstd", "", "", "", 47, []string{"47 removals cost nothing"}},
		{"12-gpu-oom-job-failures.zstd", "", "", "", 0, []string{"No worker or machine was lost", "replay blast", "failed 4 of 4 times"}},
		{"28-task-job-failure-spec-24exec.zstd", "", "", "", 0, []string{"No worker or machine was lost", "speculation): no loss"}},
	} {
		t.Run(c.log, func(t *testing.T) {
			trace := readOnce(t, filepath.Join(corpus(t), "spark", c.log))
			rows := removalsOf(t, trace)
			if len(rows) != c.removals {
				t.Errorf("%d removals, want %d", len(rows), c.removals)
			}
			for _, r := range rows {
				if c.kind != "" && (r.Kind != c.kind || r.Cause != c.cause || !strings.Contains(r.Reason, c.words)) {
					t.Errorf("%+v, want %s (%s), in the words %q", r, c.kind, c.cause, c.words)
				}
			}
			text := strings.Join(strings.Fields(output(t, "explain", trace)), " ")
			for _, want := range c.text {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not in the text:\n%s", want, text)
				}
			}
			switch c.removals {
			case 2:
				checkTwoLosses(t, rows)
			case 47:
				if n := strings.Count(text, "["); n != 0 {
					t.Errorf("%d removals are told one by one", n)
				}
			}
		})
	}
}

type removalSeen struct {
	Kind      string `col:"kind"`
	Cause     string `col:"cause"`
	Reason    string `col:"reason"`
	AtMs      int64  `col:"detected_ms"`
	Needed    int64  `col:"needed_outputs"`
	Requeued  int64  `col:"requeued_outputs"`
	Again     int64  `col:"pieces_again"`
	Unmade    int64  `col:"pieces_unmade"`
	Fetches   int64  `col:"fetch_failures"`
	GoneGroup int64  `col:"removal_group"`
}

func removalsOf(t *testing.T, trace string) []removalSeen {
	t.Helper()
	tr, err := replay.Open(t.Context(), trace, replay.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	rows, err := duck.Query[removalSeen](t.Context(), tr.DB(), `SELECT kind, cause, coalesce(reason, '') AS reason, detected_ms, needed_outputs,
		requeued_outputs, pieces_again, pieces_unmade, fetch_failures, removal_group FROM removal_cost ORDER BY removal`)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// checkTwoLosses: two executors lost 152 ms apart; of 54 outputs that were
// still needed the engine queued 50 again, 27 ran again, and two readers failed.
func checkTwoLosses(t *testing.T, rows []removalSeen) {
	t.Helper()
	var needed, requeued, made, fetches int64
	for _, r := range rows {
		needed, requeued, made, fetches = needed+r.Needed, requeued+r.Requeued, made+r.Again-r.Unmade, fetches+r.Fetches
	}
	if apart := rows[1].AtMs - rows[0].AtMs; apart != 152 || rows[0].GoneGroup != rows[1].GoneGroup {
		t.Errorf("the losses are %d ms apart, in groups %d and %d", apart, rows[0].GoneGroup, rows[1].GoneGroup)
	}
	if got, want := [4]int64{needed, requeued, made, fetches}, [4]int64{54, 50, 27, 2}; got != want {
		t.Errorf("needed, re-queued, made again, failed fetches: %v, want %v", got, want)
	}
}

// TestCutBeforeRepair: a log that ends with the loss says that what followed is
// unknown.
func TestCutBeforeRepair(t *testing.T) {
	packed, err := os.ReadFile("../../sampletraces/linear-withdrawal.zstd")
	if err != nil {
		t.Fatal(err)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	text, err := d.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(text, []byte(`{"Event":"SparkListenerExecutorRemoved"`))
	end := at + bytes.IndexByte(text[at:], '\n') + 1
	log := filepath.Join(t.TempDir(), "app-1.inprogress")
	if err := os.WriteFile(log, text[:end], 0o666); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(output(t, "explain", log)), " ")
	for _, want := range []string{"needed and never run again: the log ends before, and what followed is unknown", "The log has no end"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the text:\n%s", want, got)
		}
	}
}

// TestNotebook: the notebook is valid by nbformat's schema, and its cells run
// where Jupyter is installed. TRACEREPLAY_PYTHON names a Python that has
// nbformat, nbclient, ipykernel, duckdb, pandas and matplotlib.
func TestNotebook(t *testing.T) {
	dir := t.TempDir()
	trace := filepath.Join(dir, "trace.duckdb")
	output(t, "ingest", "../../sampletraces/linear-exit.zstd", "-o", trace)
	book := filepath.Join(dir, "postmortem.ipynb")
	output(t, "notebook", trace, "-o", book)
	text, err := os.ReadFile(book)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "replay sql trace.duckdb"); n < 15 {
		t.Errorf("%d lines with queries in the notebook", n)
	}
	python := os.Getenv("TRACEREPLAY_PYTHON")
	if python == "" {
		python = "python3"
	}
	if out, err := exec.Command(python, "-c", "import nbformat").CombinedOutput(); err != nil {
		t.Skipf("%s has no nbformat, so that the notebook is not validated: %s", python, lastLine(out))
	}
	out, err := runPython(t, dir, python, "import nbformat, sys; nbformat.validate(nbformat.read(sys.argv[1], 4))", book)
	if err != nil {
		t.Fatalf("not valid by nbformat's schema: %s", out)
	}
	if out, err := exec.Command(python, "-c", "import nbclient, ipykernel, duckdb, pandas, matplotlib").CombinedOutput(); err != nil {
		t.Skipf("%s cannot run notebooks with DuckDB, so that it is not executed: %s", python, lastLine(out))
	}
	out, err = runPython(t, dir, python, runNotebook, book)
	if err != nil {
		t.Fatalf("the cells do not run: %s", out)
	}
	t.Logf("%s", out)
}

// runNotebook runs all cells, and compares the numbers with what they were.
const runNotebook = `
import nbformat, nbclient, sys
book = nbformat.read(sys.argv[1], 4)
before = [c["outputs"] for c in book.cells if c["cell_type"] == "code"]
nbclient.NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": "."}}).execute()
after = [c["outputs"] for c in book.cells if c["cell_type"] == "code"]
import re
def numbers(output): # cells of whole numbers and empty ones, in order
    cells = [re.sub("^(&lt;NA&gt;|None|NaN)$", "", c) for c in re.findall(r"<td>(.*?)</td>", output["data"]["text/html"])]
    return [c for c in cells if re.fullmatch(r"(-?\d+)?", c)]
cells = 0
for a, b in zip(before, after):
    if a and a[0]["output_type"] == "execute_result":
        old, new = numbers(a[0]), numbers(b[0])
        assert old == new, (old, new)
        cells += 1
assert cells >= 5, cells
print(cells, "tables as before")
`

func runPython(t *testing.T, dir, python, code string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, python, append([]string{"-c", code}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestTimelineOfManyMachines: a run of 1,000 machines and 100,000 tasks is still
// a small picture, shows the lost machine first, and says what it leaves out.
func TestTimelineOfManyMachines(t *testing.T) {
	var b strings.Builder
	wideLog(&b, 1000, 100)
	log := filepath.Join(t.TempDir(), "wide")
	if err := os.WriteFile(log, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	trace := readOnce(t, log)
	picture := filepath.Join(t.TempDir(), "timeline.svg")
	output(t, "plot", "timeline", trace, "-o", picture)
	svg, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if len(svg) > 1<<20 {
		t.Errorf("the picture has %d bytes", len(svg))
	}
	for _, want := range []string{">m500<", ">lost<", "of 1,000 shown, lost ones first"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("%q is not in the picture", want)
		}
	}
	t.Logf("%d bytes", len(svg))
}

// wideLog is a log of one map stage: each machine has a worker of one slot that
// runs tasks of a second; machine m500 goes at half of it, and what it had done
// is queued again.
func wideLog(b *strings.Builder, machines, tasks int) {
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	const start = 1_800_000_000_000
	line(`{"Event":"SparkListenerLogStart","Spark Version":"3.5.5"}`)
	line(`{"Event":"SparkListenerApplicationStart","App Name":"wide","App ID":"app-1","Timestamp":%d,"User":"u"}`, start)
	line(`{"Event":"SparkListenerEnvironmentUpdate","JVM Information":{},"Spark Properties":{"spark.master":"spark://head:7077"},"Hadoop Properties":{},"System Properties":{"user.timezone":"UTC"},"Metrics Properties":{},"Classpath Entries":{}}`)
	for m := range machines {
		line(`{"Event":"SparkListenerBlockManagerAdded","Block Manager ID":{"Executor ID":"%d","Host":"m%d","Port":1},"Maximum Memory":1000,"Timestamp":%d}`, m, m, start+10)
		line(`{"Event":"SparkListenerExecutorAdded","Timestamp":%d,"Executor ID":"%d","Executor Info":{"Host":"m%d","Total Cores":1,"Log Urls":{},"Attributes":{},"Resources":{},"Resource Profile Id":0}}`, start+10, m, m)
	}
	n := machines * tasks
	stage := func(id, rdd, parent, tasks int, done bool) string {
		parents, up, end := "[]", "[]", ""
		if parent >= 0 {
			parents, up = strconv.Itoa(parent), strconv.Itoa(rdd-1)
			parents, up = "["+parents+"]", "["+up+"]"
		}
		if done {
			end = fmt.Sprintf(`,"Completion Time":%d`, start+200_000)
		}
		return fmt.Sprintf(`{"Stage ID":%d,"Stage Attempt ID":0,"Stage Name":"map at W.scala:%d","Number of Tasks":%d,"RDD Info":[{"RDD ID":%d,"Name":"x","Callsite":"c","Parent IDs":%s,"Storage Level":{"Use Disk":false,"Use Memory":false,"Replication":1},"Barrier":false,"DeterministicLevel":"DETERMINATE","Number of Partitions":%d,"Number of Cached Partitions":0,"Memory Size":0,"Disk Size":0}],"Parent IDs":%s,"Details":"","Submission Time":%d%s,"Accumulables":[],"Resource Profile Id":0}`,
			id, id, tasks, rdd, up, tasks, parents, start+1000, end)
	}
	line(`{"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":%d,"Stage Infos":[%s,%s],"Stage IDs":[0,1],"Properties":{}}`, start+1000, stage(0, 0, -1, n, false), stage(1, 1, 0, 1, false))
	line(`{"Event":"SparkListenerStageSubmitted","Stage Info":%s,"Properties":{}}`, stage(0, 0, -1, n, false))
	info := func(task, part, attempt, worker int, from, to int64) string {
		return fmt.Sprintf(`{"Task ID":%d,"Index":%d,"Attempt":%d,"Partition ID":%d,"Launch Time":%d,"Executor ID":"%d","Host":"m%d","Locality":"ANY","Speculative":false,"Getting Result Time":0,"Finish Time":%d,"Failed":false,"Killed":false,"Accumulables":[]}`,
			task, part, attempt, part, from, worker, worker, to)
	}
	end := func(task, part, attempt, worker int, from, to int64, reason string) {
		line(`{"Event":"SparkListenerTaskEnd","Stage ID":0,"Stage Attempt ID":0,"Task Type":"ShuffleMapTask","Task End Reason":{"Reason":"%s"},"Task Info":%s}`, reason, info(task, part, attempt, worker, from, to))
	}
	again := n
	const lost = 500
	for round := range tasks {
		from := int64(start + 1000 + round*1000)
		if round == tasks/2 {
			line(`{"Event":"SparkListenerBlockManagerRemoved","Block Manager ID":{"Executor ID":"%d","Host":"m%d","Port":1},"Timestamp":%d}`, lost, lost, from)
			line(`{"Event":"SparkListenerExecutorRemoved","Timestamp":%d,"Executor ID":"%d","Removed Reason":"worker lost: m500:7078 got disassociated"}`, from, lost)
			for r := range round {
				end(r*machines+lost, r*machines+lost, 0, lost, int64(start+1000+r*1000), int64(start+1990+r*1000), "Resubmitted")
			}
		}
		for m := range machines {
			task, attempt, worker := round*machines+m, 0, m
			if m == lost && round >= tasks/2 {
				worker = lost + 1
			}
			line(`{"Event":"SparkListenerTaskStart","Stage ID":0,"Stage Attempt ID":0,"Task Info":%s}`, info(task, task, attempt, worker, from, 0))
			end(task, task, attempt, worker, from, from+990, "Success")
		}
	}
	for r := range tasks / 2 { // what stood on the lost machine, once more
		from, part := int64(start+1000+tasks*1000+r*10), r*machines+lost
		line(`{"Event":"SparkListenerTaskStart","Stage ID":0,"Stage Attempt ID":0,"Task Info":%s}`, info(again, part, 1, r, from, 0))
		end(again, part, 1, r, from, from+900, "Success")
		again++
	}
	line(`{"Event":"SparkListenerStageCompleted","Stage Info":%s}`, stage(0, 0, -1, n, true))
	line(`{"Event":"SparkListenerJobEnd","Job ID":0,"Completion Time":%d,"Job Result":{"Result":"JobSucceeded"}}`, start+200_000)
	line(`{"Event":"SparkListenerApplicationEnd","Timestamp":%d}`, start+200_000)
}
