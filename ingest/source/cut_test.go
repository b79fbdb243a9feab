package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tracereplay/internal/problem"
)

// numbered is the text of a small log whose lines all differ, from line from on.
func numbered(app string, from, lines int) string {
	var b strings.Builder
	if from == 0 {
		b.WriteString(`{"Event":"SparkListenerLogStart","Spark Version":"3.5.5"}` + "\n")
		b.WriteString(`{"Event":"SparkListenerApplicationStart","App Name":"x","App ID":"` + app + `"}` + "\n")
	}
	for i := range lines {
		fmt.Fprintf(&b, `{"Event":"SparkListenerJobEnd","Job ID":%d}`+"\n", from+i)
	}
	return b.String()
}

// A log of each kind is cut at every byte, or at every 64th where it is
// compressed. What is read is the log's own lines in their order, but for one
// that the cut went through; a line that lay wholly before the cut in a plain
// file is there; and what is missing is told, unless the cut fell between lines.
func TestCutOfEachKind(t *testing.T) {
	one, two, three := numbered("app-1", 0, 7), numbered("app-1", 100, 7), numbered("app-1", 200, 7)
	other := numbered("app-2", 300, 7)
	pair := []string{"one", one, "other", other}
	lzf := "COMPRESSION_CODEC_org.apache.spark.io.LZFCompressionCodec"
	for name, c := range map[string]struct {
		files map[string]string
		cut   string // the file that is cut
		arg   string
		text  string
		plain bool
	}{
		"plain":                    {map[string]string{"log": one}, "log", "log", one, true},
		"in progress":              {map[string]string{"app-1.inprogress": one}, "app-1.inprogress", ".", one, true},
		"rolled, the last part":    {map[string]string{"eventlog_v2_app-1/events_1_app-1": one, "eventlog_v2_app-1/events_2_app-1": two, "eventlog_v2_app-1/events_3_app-1": three, "eventlog_v2_app-1/appstatus_app-1": ""}, "eventlog_v2_app-1/events_3_app-1", "eventlog_v2_app-1", one + two + three, true},
		"rolled, a part between":   {map[string]string{"eventlog_v2_app-1/events_1_app-1": one, "eventlog_v2_app-1/events_2_app-1": two, "eventlog_v2_app-1/events_3_app-1": three, "eventlog_v2_app-1/appstatus_app-1": ""}, "eventlog_v2_app-1/events_2_app-1", "eventlog_v2_app-1", one + two + three, true},
		"rolled, the first in lz4": {map[string]string{"eventlog_v2_app-1/events_1_app-1.lz4": pack(codecLZ4, one), "eventlog_v2_app-1/events_2_app-1.lz4": pack(codecLZ4, two), "eventlog_v2_app-1/appstatus_app-1": ""}, "eventlog_v2_app-1/events_1_app-1.lz4", "eventlog_v2_app-1", one + two, false},
		"rolled, the last in zstd": {map[string]string{"eventlog_v2_app-1/events_1_app-1.zstd": pack(codecZstd, one), "eventlog_v2_app-1/events_2_app-1.zstd": pack(codecZstd, two), "eventlog_v2_app-1/appstatus_app-1": ""}, "eventlog_v2_app-1/events_2_app-1.zstd", "eventlog_v2_app-1", one + two, false},
		"databricks, rolled away":  {map[string]string{"eventlog": two, "eventlog-2021-06-15--15-00.gz": pack(codecGzip, one)}, "eventlog-2021-06-15--15-00.gz", ".", one + two, false},
		"databricks, the last":     {map[string]string{"eventlog": two, "eventlog-2021-06-15--15-00.gz": pack(codecGzip, one)}, "eventlog", ".", one + two, true},
		"spark 1":                  {map[string]string{"app/EVENT_LOG_1": one, "app/SPARK_VERSION_1.2.0": "", "app/APPLICATION_COMPLETE": ""}, "app/EVENT_LOG_1", "app", one, true},
		"spark 1 in lzf":           {map[string]string{"app/EVENT_LOG_1": pack(codecLZF, one), "app/SPARK_VERSION_1.2.0": "", "app/" + lzf: ""}, "app/EVENT_LOG_1", "app", one, false},
		"zip":                      {map[string]string{"z": zipped(pair...)}, "z", "z", one + other, false},
		"zip, stored":              {map[string]string{"z": storedZip("one", one)}, "z", "z", one, false},
		"zip of snappy":            {map[string]string{"z": zipped("one", pack(codecSnappy, one))}, "z", "z", one, false},
		"tar":                      {map[string]string{"t": tarred(pair...)}, "t", "t", one + other, false},
		"tar in gzip":              {map[string]string{"t": pack(codecGzip, tarred(pair...))}, "t", "t", one + other, false},
		"tar in zstd":              {map[string]string{"t": pack(codecZstd, tarred(pair...))}, "t", "t", one + other, false},
		"zip of a rolled log":      {map[string]string{"z": zipped("eventlog_v2_app-1/events_1_app-1", one, "eventlog_v2_app-1/events_2_app-1", two, "eventlog_v2_app-1/appstatus_app-1", "")}, "z", "z", one + two, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := tree(t, c.files)
			k := cutKind{text: c.text, isPlain: c.plain, full: c.files[c.cut], arg: filepath.Join(dir, c.arg), part: strings.Index(c.text, c.files[c.cut])}
			step := 64
			if c.plain {
				step = 1
			}
			for cut := len(k.full) - 1; cut >= 0; cut -= step {
				must(os.Truncate(filepath.Join(dir, c.cut), int64(cut)))
				if why := k.check(t, cut); why != "" {
					t.Fatalf("cut at byte %d of %d: %s", cut, len(k.full), why)
				}
			}
		})
	}
}

// cutKind is an input of which one file is cut, and the text it should hold.
type cutKind struct {
	text, full, arg string
	isPlain         bool
	part            int // where the text of the file begins, if it is plain
}

func (k *cutKind) check(t *testing.T, cut int) string {
	logs, notes, err := Resolve([]string{k.arg}, Options{})
	if err != nil {
		// Too little may be left to tell what it is, and where a stored member of a
		// zip ends stands behind it, or in the directory.
		if k.isPlain && cut < 60 || !k.isPlain && cut < 600 || strings.Contains(err.Error(), "where it ends is not known") {
			return ""
		}
		return err.Error()
	}
	var text strings.Builder
	var problems []problem.Problem
	isTorn := false
	for _, l := range logs {
		blocks, r := blocksOf(t, l, Options{})
		for _, b := range blocks {
			text.Write(b.Data)
			if b.Cut {
				text.WriteByte('\n')
				isTorn = true
			}
		}
		problems = append(problems, r.Problems()...)
	}
	return k.compare(text.String(), problems, isTorn, len(notes), cut)
}

// compare walks along the text that there was and the text that was read.
func (k *cutKind) compare(got string, problems []problem.Problem, isTorn bool, notes, cut int) string {
	lines := strings.SplitAfter(got, "\n")
	at, missing, torn := 0, 0, 0
	for was := range strings.Lines(k.text) {
		switch {
		case at < len(lines) && lines[at] == was:
			at++
		case at < len(lines) && lines[at] != "" && strings.HasPrefix(was, strings.TrimSuffix(lines[at], "\n")):
			at, torn = at+1, torn+1
		default:
			missing++
		}
	}
	switch {
	case at < len(lines) && lines[at] != "":
		return fmt.Sprintf("line %q is not one of the log", lines[at])
	case torn > 1:
		return fmt.Sprintf("%d lines are torn", torn)
	case k.isPlain:
		return k.comparePlain(missing, torn, cut)
	case missing+torn > 0 && len(problems) == 0 && notes == 0 && !isTorn:
		return fmt.Sprintf("%d lines are missing, and nothing says so", missing)
	}
	for _, p := range problems {
		// Within an archive places are those of what is unpacked.
		if most := int64(max(cut, len(k.text)+4096)); p.Skipped < 0 || p.Pos.Offset < 0 || p.Pos.Offset+p.Skipped > most {
			return fmt.Sprintf("%v skips %d bytes", p, p.Skipped)
		}
	}
	return ""
}

// comparePlain knows to the byte what is missing.
func (k *cutKind) comparePlain(missing, torn, cut int) string {
	want, wantTorn := 0, 0
	for line := range strings.Lines(k.full[:cut]) {
		if !strings.HasSuffix(line, "\n") {
			wantTorn = 1
		}
	}
	want = strings.Count(k.full, "\n") - strings.Count(k.full[:cut], "\n") - wantTorn
	if missing != want || torn > wantTorn {
		return fmt.Sprintf("%d lines are missing and %d torn, want %d and %d", missing, torn, want, wantTorn)
	}
	return ""
}
