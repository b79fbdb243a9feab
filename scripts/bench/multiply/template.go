package main

import (
	"bytes"
	"strconv"
	"strings"
)

// kind is what a number in the log counts: numbers of one kind move together.
type kind uint8

const (
	fixed    kind = iota
	job           // jobs
	stage         // stages, RDDs and shuffles: one distance for all, since "Parent IDs" may be of either
	task          // tasks
	sql           // SQL executions
	clock         // ms since the epoch
	worker        // workers
	host          // machines
	block         // a block's name, with the number of an RDD or shuffle in it
	kinds         // how many there are
	earliest = 100_000_000_000
)

// keys are the members of events that hold such numbers, bare, as text, or in
// a list.
var keys = map[string]kind{
	"Job ID": job, "Stage ID": stage, "Stage IDs": stage, "Parent IDs": stage, "RDD ID": stage, "Shuffle ID": stage,
	"Task ID": task, "Map ID": task,
	"executionId": sql, "rootExecutionId": sql, "spark.sql.execution.id": sql, "spark.sql.execution.root.id": sql,
	"Timestamp": clock, "Submission Time": clock, "Completion Time": clock, "Launch Time": clock, "Finish Time": clock,
	"Getting Result Time": clock, "Registration Time": clock, "Request Time": clock, "time": clock,
	"Executor ID": worker, "Host": host, "Block ID": block,
}

// once are events that a run has at its start, at its end, or for each worker.
type once uint8

const (
	always  once = iota
	atStart      // in the first copy only
	atEnd        // in the last copy only
	added        // a worker comes
	removed      // a worker goes
)

var roles = map[string]once{
	"SparkListenerLogStart": atStart, "SparkListenerResourceProfileAdded": atStart, "SparkListenerEnvironmentUpdate": atStart,
	"SparkListenerApplicationStart": atStart, "DBCEventLoggingListenerMetadata": atStart, "SparkListenerApplicationEnd": atEnd,
	"SparkListenerExecutorAdded": added, "SparkListenerBlockManagerAdded": added,
	"SparkListenerExecutorRemoved": removed, "SparkListenerBlockManagerRemoved": removed,
}

// line is one line of the log, cut at the numbers that change: literal i is
// followed by hole i, the last literal by none.
type line struct {
	role  once
	isJob bool
	lits  [][]byte
	holes []hole
}

type hole struct {
	kind kind
	base int64
}

// template is a log that can be written with all its numbers moved.
type template struct {
	opt    options
	lines  []line
	next   [kinds]int64 // one more than the largest number of a kind
	first  int64        // earliest time
	hosts  map[string]int64
	alive  map[int64]bool // workers that are never removed
	fresh  bool           // every copy has workers of its own
	filler []byte
}

func newTemplate(text []byte, opt options) *template {
	t := &template{opt: opt, hosts: map[string]int64{}, alive: map[int64]bool{}}
	lost := false
	for l := range bytes.Lines(text) {
		if l[0] != '{' {
			continue
		}
		cut := t.cut(l)
		lost = lost || cut.role == removed
		t.lines = append(t.lines, cut)
	}
	t.fresh = opt.workers == "fresh" || opt.workers == "auto" && (lost || opt.machines > 0)
	if opt.long > 0 {
		t.filler = filler(opt.long)
	}
	return t
}

// cut finds the numbers of a line.
func (t *template) cut(text []byte) line {
	name := eventName(text)
	l := line{role: roles[name], isJob: name == "SparkListenerJobStart"}
	c := cutter{t: t, l: &l, text: text}
	c.run()
	if len(text) > 0 && text[len(text)-1] != '\n' {
		last := &l.lits[len(l.lits)-1]
		*last = append(bytes.Clone(*last), '\n')
	}
	t.follow(&l)
	return l
}

// follow learns who is alive when the log ends.
func (t *template) follow(l *line) {
	for _, h := range l.holes {
		if h.kind == worker && (l.role == added || l.role == removed) {
			t.alive[h.base] = l.role == added
		}
	}
}

func eventName(text []byte) string {
	rest, ok := bytes.CutPrefix(text, []byte(`{"Event":"`))
	if !ok {
		return ""
	}
	name, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(name)
}

// filler is text of some length that does not compress to nothing.
func filler(n int64) []byte {
	var b bytes.Buffer
	b.WriteString(`"spark.job.description":"`)
	x := uint32(1)
	for int64(b.Len()) < n {
		x = x*1664525 + 1013904223
		b.WriteString("col#")
		b.WriteString(strconv.Itoa(int(x >> 12)))
		b.WriteString(" = ")
	}
	b.WriteString(`",`)
	return b.Bytes()
}

// cutter goes through a line once.
type cutter struct {
	t    *template
	l    *line
	text []byte
	from int // where the current literal begins
}

func (c *cutter) run() {
	for i := 0; i < len(c.text); {
		if c.text[i] != '"' {
			i++
			continue
		}
		end := endOfString(c.text, i)
		if end+1 >= len(c.text) || c.text[end] != ':' {
			i = end
			continue
		}
		i = c.value(keys[string(c.text[i+1:end-1])], end+1)
	}
	c.l.lits = append(c.l.lits, c.text[c.from:])
}

// endOfString is the place behind the quote that ends a string.
func endOfString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// value deals with the value of a key and says where to go on.
func (c *cutter) value(k kind, i int) int {
	if k == fixed || i >= len(c.text) {
		return i
	}
	switch c.text[i] {
	case '[':
		for i++; i < len(c.text) && isDigit(c.text[i]); i++ {
			i = c.number(k, i)
			if c.text[i] != ',' {
				break
			}
		}
	case '"':
		c.quoted(k, i+1, endOfString(c.text, i)-1)
		return endOfString(c.text, i)
	default:
		if isDigit(c.text[i]) {
			return c.number(k, i)
		}
	}
	return i
}

// quoted deals with a text between two places.
func (c *cutter) quoted(k kind, from, to int) {
	s := string(c.text[from:to])
	switch k {
	case host:
		if c.t.opt.machines > 0 {
			c.hole(host, c.t.hostNumber(s), from, to)
		}
	case block:
		if strings.HasPrefix(s, "rdd_") {
			c.number(stage, from+len("rdd_"))
		}
	default:
		if s != "" && isDigit(s[0]) && len(strings.Trim(s, "0123456789")) == 0 {
			c.number(k, from)
		}
	}
}

func (t *template) hostNumber(name string) int64 {
	n, ok := t.hosts[name]
	if !ok {
		n = int64(len(t.hosts))
		t.hosts[name] = n
	}
	return n
}

// number makes a hole of the number that begins at i and returns its end.
func (c *cutter) number(k kind, i int) int {
	to := i
	for to < len(c.text) && isDigit(c.text[to]) {
		to++
	}
	n, err := strconv.ParseInt(string(c.text[i:to]), 10, 64)
	if err != nil || k == clock && n < earliest { // 0 stands for none
		return to
	}
	c.hole(k, n, i, to)
	return to
}

func (c *cutter) hole(k kind, n int64, from, to int) {
	c.l.lits = append(c.l.lits, c.text[c.from:from])
	c.l.holes = append(c.l.holes, hole{k, n})
	c.from = to
	c.t.next[k] = max(c.t.next[k], n+1)
	if k == clock && (c.t.first == 0 || n < c.t.first) {
		c.t.first = n
	}
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
