package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tracereplay/internal/problem"
)

// tree writes files (name to content) below a new directory. A name that ends
// in a slash is a directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			must(os.MkdirAll(path, 0o755))
			continue
		}
		must(os.MkdirAll(filepath.Dir(path), 0o755))
		must(os.WriteFile(path, []byte(content), 0o644))
	}
	return dir
}

// applog is the text of a small log of an application.
func applog(app string, lines int, ended bool) string {
	s := `{"Event":"SparkListenerLogStart","Spark Version":"3.5.5"}` + "\n"
	s += `{"Event":"SparkListenerApplicationStart","App Name":"x","App ID":"` + app + `"}` + "\n"
	s += more(lines - 3)
	if ended {
		return s + `{"Event":"SparkListenerApplicationEnd","Timestamp":1}` + "\n"
	}
	return s + more(1)
}

func more(lines int) string {
	return strings.Repeat(`{"Event":"SparkListenerJobEnd","Job ID":1}`+"\n", lines)
}

// resolved shows what Resolve came to, with dir taken out of the names.
func resolved(dir string, args []string, opt Options) string {
	for i, a := range args {
		if a != "-" {
			args[i] = filepath.Join(dir, a)
		}
	}
	logs, notes, err := Resolve(args, opt)
	var s strings.Builder
	for _, l := range logs {
		fmt.Fprintf(&s, "log %s app %q", l.Name, l.AppID)
		for _, flag := range []struct {
			on   bool
			name string
		}{{l.InProgress, "in progress"}, {l.Compacted, "compacted"}, {l.Rolling, "rolling"}} {
			if flag.on {
				s.WriteString(", " + flag.name)
			}
		}
		s.WriteString(":")
		for _, p := range l.Parts {
			fmt.Fprintf(&s, " %s(%s)", p.Name[strings.LastIndexAny(p.Name, "/!")+1:], p.Codec)
		}
		s.WriteString("\n")
		for _, p := range l.found {
			fmt.Fprintf(&s, "  problem %v\n", p)
		}
	}
	for _, n := range notes {
		fmt.Fprintf(&s, "note %s\n", n)
	}
	if err != nil {
		fmt.Fprintf(&s, "error %v\n", err)
	}
	return strings.ReplaceAll(s.String(), dir+"/", "")
}

func pack(codec, text string) string { return string(packers[codec]([]byte(text), 100).data) }

func zipped(files ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		must(err)
		_, err = io.WriteString(f, files[i+1])
		must(err)
	}
	must(w.Close())
	return b.String()
}

func tarred(files ...string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		must(w.WriteHeader(&tar.Header{Name: files[i], Size: int64(len(files[i+1])), Mode: 0o644}))
		_, err := io.WriteString(w, files[i+1])
		must(err)
	}
	must(w.Close())
	return b.String()
}

func TestResolve(t *testing.T) {
	a, b := applog("app-a", 9, true), applog("app-b", 9, true)
	nested := zipped("in.tar", tarred("x/log", a, "y.zip", zipped("z", b)))
	for _, c := range []struct {
		name  string
		files map[string]string
		args  string
		opt   Options
		want  string
	}{
		{
			name:  "a file, named twice and by another way",
			files: map[string]string{"a.json": a, "d/": ""},
			args:  "a.json d/../a.json a.json",
			want:  "log a.json app \"app-a\": a.json(none)\n",
		},
		{
			name:  "order of arguments does not matter",
			files: map[string]string{"b": b, "a": pack(codecLZ4, a)},
			args:  "b a",
			want:  "log a app \"app-a\": a(lz4)\nlog b app \"app-b\": b(none)\n",
		},
		{
			name:  "content decides, not the name",
			files: map[string]string{"a.gz": pack(codecZstd, a), "b.zstd": pack(codecLZF, b), "c.zip": pack(codecSnappy, applog("c", 4, true)), "d.log": zipped("d", applog("d", 4, true))},
			args:  ".",
			want:  "log a.gz app \"app-a\": a.gz(zstd)\nlog b.zstd app \"app-b\": b.zstd(lzf)\nlog c.zip app \"c\": c.zip(snappy)\nlog d.log!d app \"d\": d(none)\n",
		},
		{
			name:  "a directory of many applications and other things",
			files: map[string]string{"d/app-a.inprogress": a, "d/.app-a.crc": "x", "d/README.md": "# Hello\n", "d/e/b": pack(codecGzip, b), "d/e/t.csv": "a,b\n1,2\n", "d/empty": ""},
			args:  "d",
			want: "log d/app-a.inprogress app \"app-a\", in progress: app-a.inprogress(none)\nlog d/e/b app \"app-b\": b(gzip)\n" +
				"note d: skipped hidden files (1)\nnote d/README.md: skipped: looks like text that is not JSON: \"# Hello\"\nnote d/e/t.csv: skipped: looks like CSV with 2 columns: \"a,b\"\nnote d/empty: skipped: is empty\n",
		},
		{
			name:  "a directory of many things that are no logs",
			files: manyFiles(25, a),
			args:  "d",
			want:  "log d/log app \"app-a\": log(none)\nnote d: skipped 5 more files\n" + manyNotes(20),
		},
		{
			name:  "a directory without a log",
			files: map[string]string{"d/README.md": "# Hello\n"},
			args:  "d",
			want:  "note d/README.md: skipped: looks like text that is not JSON: \"# Hello\"\nerror d: holds no Spark event log (d/README.md: skipped: looks like text that is not JSON: \"# Hello\")\n",
		},
		{
			name:  "globs",
			files: map[string]string{"x1": a, "x2": b, "x3": "no"},
			args:  "x*",
			want:  "log x1 app \"app-a\": x1(none)\nlog x2 app \"app-b\": x2(none)\nnote x3: skipped: looks like text that is not JSON: \"no\"\n",
		},
		{
			name: "a glob that matches nothing, a file that is not there",
			args: "x* y",
			want: "error x*: matches nothing\ny: no such file or directory\n",
		},
		{
			name:  "a rolled log in any order",
			files: map[string]string{"eventlog_v2_r/events_10_r": more(1), "eventlog_v2_r/events_9_r": more(1), "eventlog_v2_r/events_2_r.zstd": pack(codecZstd, more(2)), "eventlog_v2_r/events_1_r": a, "eventlog_v2_r/appstatus_r.inprogress": "", "eventlog_v2_r/events_3_r": more(1), "eventlog_v2_r/events_4_r": more(1), "eventlog_v2_r/events_5_r": more(1), "eventlog_v2_r/events_6_r": more(1), "eventlog_v2_r/events_7_r": more(1), "eventlog_v2_r/events_8_r": more(1)},
			args:  "eventlog_v2_r",
			want:  "log eventlog_v2_r app \"app-a\", in progress, rolling: events_1_r(none) events_2_r.zstd(zstd) events_3_r(none) events_4_r(none) events_5_r(none) events_6_r(none) events_7_r(none) events_8_r(none) events_9_r(none) events_10_r(none)\n",
		},
		{
			name:  "a rolled log without its first and its third to fifth file",
			files: map[string]string{"eventlog_v2_r/events_2_r": more(2), "eventlog_v2_r/events_6_r": more(2), "eventlog_v2_r/appstatus_r": ""},
			args:  "eventlog_v2_r",
			want: "log eventlog_v2_r app \"\", rolling: events_2_r(none) events_6_r(none)\n" +
				"  problem eventlog_v2_r: missing_part: file 1 of the rolled log missing before events_2_r\n" +
				"  problem eventlog_v2_r: missing_part: files 3 to 5 of the rolled log missing before events_6_r\n",
		},
		{
			name:  "the files of a rolled log named one by one",
			files: map[string]string{"v/events_1_r": a, "v/events_2_r": more(2)},
			args:  "v/events_2_r v/events_1_r",
			want:  "log v app \"app-a\", rolling: events_1_r(none) events_2_r(none)\n",
		},
		{
			name:  "a rolled log without its status file",
			files: map[string]string{"v/events_1_r": a, "v/events_2_r": more(2)},
			args:  "v",
			want:  "log v app \"app-a\", rolling: events_1_r(none) events_2_r(none)\nnote v: the rolled log has no appstatus file: whether its driver had finished is not known from the files\n",
		},
		{
			name:  "a file that is only named like one of a rolled log",
			files: map[string]string{"d/events_2024_report": a},
			args:  "d/events_2024_report",
			want:  "log d/events_2024_report app \"app-a\": events_2024_report(none)\n",
		},
		{
			name:  "two rolled logs in one directory",
			files: map[string]string{"d/events_1_q": a, "d/events_2_q": more(1), "d/events_1_r": b, "d/appstatus_r": "", "d/appstatus_q": ""},
			args:  "d",
			want:  "log d/q app \"app-a\", rolling: events_1_q(none) events_2_q(none)\nlog d/r app \"app-b\", rolling: events_1_r(none)\n",
		},
		{
			name:  "one number twice",
			files: map[string]string{"eventlog_v2_r/events_1_r": a, "eventlog_v2_r/events_1_r.gz": pack(codecGzip, "x"), "eventlog_v2_r/appstatus_r": ""},
			args:  "eventlog_v2_r",
			want:  "log eventlog_v2_r app \"app-a\", rolling: events_1_r(none)\nnote eventlog_v2_r/events_1_r.gz: not used: events_1_r has the same number and is not smaller\n",
		},
		{
			name:  "a compacted log is refused",
			files: map[string]string{"eventlog_v2_r/events_3_r.compact": a, "eventlog_v2_r/events_4_r": more(1), "eventlog_v2_r/appstatus_r": ""},
			args:  "eventlog_v2_r",
			want:  "error eventlog_v2_r: is a compacted rolled log: the history server has dropped the jobs that had finished, and what they left on workers cannot be known; --allow-compacted takes what is there\n",
		},
		{
			name:  "a compacted log among others",
			files: map[string]string{"d/eventlog_v2_r/events_3_r.compact": a, "d/eventlog_v2_r/appstatus_r": "", "d/b": b},
			args:  "d",
			want:  "log d/b app \"app-b\": b(none)\nnote d/eventlog_v2_r: is a compacted rolled log: the history server has dropped the jobs that had finished, and what they left on workers cannot be known; --allow-compacted takes what is there\n",
		},
		{
			name:  "a compacted log is allowed",
			files: map[string]string{"eventlog_v2_r/events_2_r": more(1), "eventlog_v2_r/events_2_r.compact": a, "eventlog_v2_r/events_3_r.compact": a, "eventlog_v2_r/events_5_r": more(1), "eventlog_v2_r/appstatus_r": ""},
			args:  "eventlog_v2_r",
			opt:   Options{AllowCompacted: true},
			want: "log eventlog_v2_r app \"app-a\", compacted, rolling: events_3_r.compact(none) events_5_r(none)\n" +
				"  problem eventlog_v2_r: missing_part: file 4 of the rolled log missing before events_5_r\n" +
				"  problem eventlog_v2_r/events_3_r.compact: compacted: the history server compacted the log: jobs that had finished before this file, and workers that had gone, are not in it\n",
		},
		{
			name:  "a compacted log whose originals are all there",
			files: map[string]string{"eventlog_v2_r/events_1_r": a, "eventlog_v2_r/events_2_r": more(1), "eventlog_v2_r/events_2_r.compact": a, "eventlog_v2_r/events_3_r": more(1), "eventlog_v2_r/appstatus_r": ""},
			args:  "eventlog_v2_r",
			want:  "log eventlog_v2_r app \"app-a\", rolling: events_1_r(none) events_2_r(none) events_3_r(none)\nnote eventlog_v2_r/events_2_r.compact: not used: the files it was compacted from are all still there\n",
		},
		{
			name:  "Databricks: by date, the one without a date is the newest",
			files: map[string]string{"d/eventlog": more(2), "d/eventlog-2021-06-15--15-00.gz": pack(codecGzip, more(3)), "d/eventlog-2021-06-15--14-00.gz": pack(codecGzip, a)},
			args:  "d",
			want:  "log d app \"app-a\", rolling: eventlog-2021-06-15--14-00.gz(gzip) eventlog-2021-06-15--15-00.gz(gzip) eventlog(none)\n",
		},
		{
			name:  "Spark 1.x",
			files: map[string]string{"d/app/EVENT_LOG_1": a, "d/app/SPARK_VERSION_1.2.0": "", "d/app/COMPRESSION_CODEC_org.apache.spark.io.LZFCompressionCodec": "", "d/app/APPLICATION_COMPLETE": "", "d/run/EVENT_LOG_1": b, "d/run/EVENT_LOG_2": more(1), "d/run/SPARK_VERSION_1.1.0": ""},
			args:  "d",
			want:  "log d/app app \"app-a\", rolling: EVENT_LOG_1(none)\nlog d/run app \"app-b\", in progress, rolling: EVENT_LOG_1(none) EVENT_LOG_2(none)\n",
		},
		{
			name:  "zip as the history server gives it",
			files: map[string]string{"l.zip": zipped("eventlog_v2_r/", "", "eventlog_v2_r/events_2_r.zstd", pack(codecZstd, more(2)), "eventlog_v2_r/events_1_r.zstd", pack(codecZstd, a), "eventlog_v2_r/appstatus_r", "")},
			args:  "l.zip",
			want:  "log l.zip!eventlog_v2_r app \"app-a\", rolling: events_1_r.zstd(zstd) events_2_r.zstd(zstd)\n",
		},
		{
			name:  "tar, tar.gz and tar.zstd",
			files: map[string]string{"a.tar": tarred("./d/a", a, "d/x", "no"), "b.tgz": pack(codecGzip, tarred("b", b)), "c.tar.zst": pack(codecZstd, tarred("c", pack(codecLZ4, applog("c", 5, true))))},
			args:  "a.tar b.tgz c.tar.zst",
			want:  "log a.tar!d/a app \"app-a\": a(none)\nlog b.tgz!b app \"app-b\": b(none)\nlog c.tar.zst!c app \"c\": c(lz4)\nnote a.tar!d/x: skipped: looks like text that is not JSON: \"no\"\n",
		},
		{
			name:  "archives nested once, and once too deep",
			files: map[string]string{"n.zip": nested},
			args:  "n.zip",
			want:  "log n.zip!in.tar!x/log app \"app-a\": log(none)\nnote n.zip!in.tar!y.zip: skipped: an archive within 2 archives: beyond the limit MaxArchiveDepth\n",
		},
		{
			name:  "names that climb, and that steer a terminal",
			files: map[string]string{"n.zip": zipped("../../etc/a", a, "/abs/\x1b[31mb\u202e", b)},
			args:  "n.zip",
			want:  "log n.zip!abs/\\x1b[31mb\\u202e app \"app-b\": \\x1b[31mb\\u202e(none)\nlog n.zip!etc/a app \"app-a\": a(none)\n",
		},
		{
			name:  "an archive without a log",
			files: map[string]string{"n.zip": zipped("x", "no"), "d/n.zip": zipped("x", "no"), "d/a": a},
			args:  "n.zip d",
			want:  "note d/n.zip: skipped: an archive without a Spark event log\nnote d/n.zip!x: skipped: looks like text that is not JSON: \"no\"\nnote n.zip!x: skipped: looks like text that is not JSON: \"no\"\nerror n.zip: holds no Spark event log (d/n.zip!x: skipped: looks like text that is not JSON: \"no\"; d/n.zip: skipped: an archive without a Spark event log; n.zip!x: skipped: looks like text that is not JSON: \"no\")\n",
		},
		{
			name: "standard input",
			args: "-",
			opt:  Options{Stdin: strings.NewReader(pack(codecSnappy, a))},
			want: "log standard input app \"app-a\": standard input(snappy)\n",
		},
		{
			name: "an archive on standard input",
			args: "-",
			opt:  Options{Stdin: strings.NewReader(zipped("a", a, "b", b))},
			want: "log standard input!a app \"app-a\": a(none)\nlog standard input!b app \"app-b\": b(none)\n",
		},
		{
			name: "no standard input",
			args: "-",
			want: "error standard input: there is no standard input\n",
		},
		{
			name:  "one application twice: ended wins over longer, then longer wins",
			files: map[string]string{"1": applog("x", 30, false), "2": applog("x", 9, true), "3": applog("x", 10, true), "4": applog("y", 5, true), "5": applog("y", 5, true)},
			args:  ".",
			want: "log 3 app \"x\": 3(none)\nlog 4 app \"y\": 4(none)\n" +
				"note 1: not read: 2 is of the same application attempt (x) and holds the application's end\n" +
				"note 2: not read: 3 is of the same application attempt (x) and has more lines (10, here 9)\n" +
				"note 5: not read: 4 is of the same application attempt (y) and is as complete (5 lines)\n",
		},
		{
			name:  "two pieces of one log are not one application twice",
			files: map[string]string{"1": `{"Event":"SparkListenerJobStart","Job ID":1,"Properties":{"spark.app.id":"x"}}` + "\n", "2": `{"Event":"SparkListenerJobStart","Job ID":2,"Properties":{"spark.app.id":"x"}}` + "\n"},
			args:  ".",
			want:  "log 1 app \"x\": 1(none)\nlog 2 app \"x\": 2(none)\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tree(t, c.files)
			got := resolved(dir, strings.Fields(c.args), c.opt)
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func manyFiles(n int, log string) map[string]string {
	files := map[string]string{"d/log": log}
	for i := range n {
		files[fmt.Sprintf("d/f%02d", i)] = ""
	}
	return files
}

func manyNotes(n int) string {
	s := ""
	for i := range n {
		s += fmt.Sprintf("note d/f%02d: skipped: is empty\n", i)
	}
	return s
}

// What is no log is named for what it is.
func TestLooksLike(t *testing.T) {
	for content, want := range map[string]string{
		"Avro-Json\n{\"type\":\"record\"":                "a Hadoop MapReduce job history file (jhist)",
		"{\n \"archive\": [\n {\n \"path\": \"/jobs/1\"": "an archive of a Flink history server",
		"{\"Event\":\"login\",\"user\":1}\n":             "none of them an event of Spark",
		"{\n  \"a\": 1\n}\n":                             "one JSON document over several lines",
		"{\"a\":1}\n":                                    "JSON, but none of its first lines",
		"[{\"Event\":\"SparkListenerLogStart\"}]":        "one JSON array",
		"<?xml version=\"1.0\"?><configuration>":         "a Hadoop configuration file",
		"<!DOCTYPE html><html>":                          "an HTML page",
		"<a/>":                                           "XML",
		"a,b,c\n1,2,3\n":                                 "CSV with 3 columns",
		"26/01/01 INFO SparkContext: Running":            "text that is not JSON",
		"\xff\xfe{\x00\"\x00":                            "UTF-16",
		"{\x00\"\x00E\x00":                               "UTF-16",
		"PAR1....":                                       "a Parquet file",
		"xxxxxxxxDUCK":                                   "a DuckDB database",
		"\x00\x01\x02\x03":                               "binary data",
		"{\"Ev":                                          "cut before its first event",
		"  \n\n":                                         "blank text",
		"":                                               "is empty",
		"BZh91AY":                                        "bzip2",
		pack(codecGzip, "a,b\n1,2\n"):                    "is gzip-compressed, and inside looks like CSV",
		pack(codecGzip, pack(codecGzip, sampleText)): "decompress it once first",
		pack(codecZstd, "")[:5]:                      "nothing of it can be read",
		"\x1b]0;evil text":                           `"\x1b]0;evil text"`,
	} {
		path := filepath.Join(tree(t, map[string]string{"f": content}), "f")
		_, _, err := Resolve([]string{path}, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%.40q: %v, want %q", content, err, want)
		}
	}
}

var sampleText = string(sample(5))

// What is a log, however odd.
func TestIsLog(t *testing.T) {
	for name, content := range map[string]string{
		"byte order mark":           "\xef\xbb\xbf" + sampleText,
		"blank lines first":         "\r\n\n" + sampleText,
		"CRLF":                      strings.ReplaceAll(sampleText, "\n", "\r\n"),
		"malformed first line":      "{\"Event\":\n" + sampleText,
		"spaces and another order":  "{ \"Timestamp\": 1, \"Event\" : \"SparkListenerJobEnd\" }\n",
		"class name":                "{\"Event\":\"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart\"}",
		"vendor event":              "{\"Event\":\"DBCEventLoggingListenerMetadata\"}\n",
		"cut in the first line":     "{\"Event\":\"SparkListenerLogSt",
		"an extra brace":            "{\"Event\":\"SparkListenerLogStart\"}}\n",
		"a first frame that is bad": string(slices.Concat([]byte(pack(codecZstd, "x"))[:9], []byte(pack(codecZstd, sampleText)))),
	} {
		path := filepath.Join(tree(t, map[string]string{"f": content}), "f")
		if _, _, err := Resolve([]string{path}, Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAppOf(t *testing.T) {
	for content, want := range map[string][2]string{
		applog("app-1", 5, true): {"app-1", ""},
		"{\"Event\":\"SparkListenerApplicationStart\",\"App ID\":\"a\",\"App Attempt ID\":\"3\"}\n":                                             {"a", "3"},
		"{\"Event\":\"SparkListenerJobEnd\",\"appId\":\"slim\"}\n{\"Event\":\"SparkListenerApplicationStart\",\"App Name\":\"x\"}\n":            {"slim", ""},
		"{\"Event\":\"SparkListenerEnvironmentUpdate\",\"Spark Properties\":{\"spark.app.id\":\"env\"}}\n":                                      {"env", ""},
		"{\"Event\":\"SparkListenerEnvironmentUpdate\",\"X\":\"" + strings.Repeat("y", 300_000) + "\"}\n" + applog("behind-long-line", 4, true): {"behind-long-line", ""},
	} {
		path := filepath.Join(tree(t, map[string]string{"f": content}), "f")
		logs, _, err := Resolve([]string{path}, Options{})
		if err != nil || logs[0].AppID != want[0] || logs[0].AppAttempt != want[1] {
			t.Errorf("%.80q: %v %v, want %v", content, logs, err, want)
		}
	}
}

// Pipes, devices, sockets and links.
func TestSpecialFiles(t *testing.T) {
	dir := tree(t, map[string]string{"d/a": applog("app-a", 5, true), "d/e/": ""})
	must(syscall.Mkfifo(filepath.Join(dir, "d/fifo"), 0o600))
	must(os.Symlink("..", filepath.Join(dir, "d/e/up")))
	must(os.Symlink("loop", filepath.Join(dir, "d/loop")))
	must(os.Symlink("gone", filepath.Join(dir, "d/dangling")))
	must(os.Symlink("a", filepath.Join(dir, "d/link")))
	socket, err := net.Listen("unix", filepath.Join(dir, "d/sock"))
	if err != nil {
		t.Skip(err)
	}
	defer socket.Close()
	want := `log d/a app "app-a": a(none)
note d/dangling: cannot be read: no such file or directory
note d/e/up: not looked into: a link back to d
note d/fifo: skipped: a named pipe inside a directory is not read: name it to have it read
note d/link: the same file as d/a: read once
note d/loop: cannot be read: too many levels of symbolic links
note d/sock: skipped: is a socket
`
	if got := resolved(dir, []string{"d"}, Options{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, _, err := Resolve([]string{"/dev/zero"}, Options{}); err == nil || err.Error() != "/dev/zero: is a character device, not a file" {
		t.Error(err)
	}
}

// A pipe that is named is read once, from its first byte.
func TestFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	must(syscall.Mkfifo(path, 0o600))
	text := sample(30_000)
	go func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		must(err)
		_, err = f.Write(packers[codecZstd](text, 10_000).data)
		must(err)
		must(f.Close())
	}()
	logs, _, err := Resolve([]string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := drain(t, logs[0], Options{}, true)
	if d.err != nil || !bytes.Equal(d.text, text) || logs[0].AppID != "app-1" {
		t.Error(len(d.text), len(text), d.err)
	}
	if _, total := d.Progress(); total != -1 {
		t.Error(total)
	}
	if d := drain(t, logs[0], Options{}, true); d.err == nil {
		t.Error("a pipe was read twice")
	}
}

// The members of archives are read as files are.
func TestArchivesRead(t *testing.T) {
	text := string(sample(3000))
	for name, data := range map[string]string{
		"zip":                zipped("x", "no", "log", text),
		"zip of zstd":        zipped("log", pack(codecZstd, text)),
		"stored zip":         storedZip("log", text),
		"tar":                tarred("log", text),
		"tar of gzip":        tarred("log", pack(codecGzip, text)),
		"tar.gz":             pack(codecGzip, tarred("log", text)),
		"zip in tar.gz":      pack(codecGzip, tarred("z", zipped("log", text))),
		"zip in zip":         zipped("z", zipped("log", text)),
		"zip in stored":      storedZip("z", zipped("log", text)),
		"zip cut":            cutZip(zipped("log", text, "y", "no")),
		"zip cut at 2":       cutZip(zipped("x", "no", "log", text, "y", "no")),
		"zip of Java":        zipped("log", text),
		"tar cut at its end": tarred("log", text)[:512+len(text)],
		"tar.lz4 (Spark's)":  pack(codecLZ4, tarred("log", text)),
	} {
		dir := tree(t, map[string]string{"f": data})
		logs, _, err := Resolve([]string{dir + "/f"}, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for range 2 {
			d := drain(t, logs[0], Options{}, true)
			if d.err != nil || string(d.text) != text || logs[0].AppID != "app-1" {
				t.Errorf("%s: %d of %d bytes, %v %v", name, len(d.text), len(text), d.err, d.Problems())
			}
			if damaged := strings.Contains(name, "cut"); damaged != (len(d.Problems()) > 0) {
				t.Errorf("%s: %v", name, d.Problems())
			}
			if read, total := d.Progress(); read != total && !strings.Contains(name, "cut") {
				t.Errorf("%s: progress ends at %d of %d", name, read, total)
			}
		}
	}
}

func storedZip(name, content string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	must(err)
	_, err = io.WriteString(f, content)
	must(err)
	must(w.Close())
	return b.String()
}

// cutZip takes the directory off a zip.
func cutZip(z string) string { return z[:strings.Index(z, "PK\x01\x02")] }

// A zip cut at every 64th byte: all that its members hold before the cut is
// read, and the loss is told.
func TestZipCut(t *testing.T) {
	text := string(sample(400))
	whole := zipped("a", text, "b", strings.ReplaceAll(text, "app-1", "app-2"))
	first := strings.Index(whole[4:], "PK\x03\x04") + 4
	for cut := 2000; cut < len(whole); cut += 64 {
		path := filepath.Join(tree(t, map[string]string{"f": whole[:cut]}), "f")
		logs, _, err := Resolve([]string{path}, Options{})
		if err != nil {
			t.Fatalf("cut at %d of %d: %v", cut, len(whole), err)
		}
		problems, n := 0, 0
		for _, l := range logs {
			d := drain(t, l, Options{}, true)
			problems += len(d.Problems())
			if d.err != nil || !strings.HasPrefix(text, strings.ReplaceAll(string(d.text), "app-2", "app-1")) {
				t.Errorf("cut at %d: %s: %v", cut, l.Name, d.err)
			}
			n += len(d.text)
		}
		if problems == 0 || (cut >= first && n < len(text)) || n < cut/4 {
			t.Errorf("cut at %d of %d (second member at %d): %d problems, %d bytes of text", cut, len(whole), first, problems, n)
		}
	}
}

// A tar.gz cut anywhere gives what stands before the cut.
func TestTarGzipCut(t *testing.T) {
	text := string(sample(400))
	whole := pack(codecGzip, tarred("a", text, "b", strings.ReplaceAll(text, "app-1", "app-2")))
	for cut := 1500; cut < len(whole)-20; cut += 1000 {
		path := filepath.Join(tree(t, map[string]string{"f": whole[:cut]}), "f")
		logs, _, err := Resolve([]string{path}, Options{})
		if err != nil {
			t.Fatalf("cut at %d of %d: %v", cut, len(whole), err)
		}
		kinds := map[problem.Kind]int{}
		n := 0
		for _, l := range logs {
			d := drain(t, l, Options{}, true)
			for _, p := range d.Problems() {
				kinds[p.Kind]++
			}
			n += len(d.text)
		}
		if kinds[problem.CutFrame] == 0 || n < cut/2 {
			t.Errorf("cut at %d of %d: %v, %d bytes", cut, len(whole), kinds, n)
		}
	}
}

// A member whose bytes were changed is told, and the other one is whole.
func TestZipCorrupt(t *testing.T) {
	text := string(sample(400))
	whole := []byte(zipped("a", text, "b", strings.ReplaceAll(text, "app-1", "app-2")))
	whole[3000] ^= 0xff
	path := filepath.Join(tree(t, map[string]string{"f": string(whole)}), "f")
	logs, _, err := Resolve([]string{path}, Options{})
	if err != nil || len(logs) != 2 {
		t.Fatal(logs, err)
	}
	a, b := drain(t, logs[0], Options{}, true), drain(t, logs[1], Options{}, true)
	if a.err != nil || len(a.Problems()) != 1 || a.Problems()[0].Kind != problem.CorruptFrame {
		t.Error(a.err, a.Problems())
	}
	if b.err != nil || len(b.Problems()) != 0 || len(b.text) != len(text) {
		t.Error(b.err, b.Problems())
	}
}
