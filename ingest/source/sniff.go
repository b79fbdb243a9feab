package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// sniffed is what the first lines of a file tell.
type sniffed struct {
	head       []byte // first bytes as stored
	codec      string
	text       []byte // first bytes decompressed
	isSpark    bool
	appID      string
	appAttempt string
	started    bool  // the application start is among the first lines
	gap        *gap  // damage met that early
	err        error // trouble with reading
}

const (
	// sniffBytes and sniffLines end the search for the application's id. The
	// environment that Spark writes before it can be some 100 KB.
	sniffBytes = 4 << 20
	sniffLines = 256
)

// sniff reads the first lines of a file.
func sniff(n *node, lim Limits) *sniffed {
	t, err := openText(n, lim, nil)
	if err != nil {
		return &sniffed{err: err}
	}
	defer t.Close()
	s := &sniffed{head: t.head, codec: t.codec}
	var p peeker
	buf := make([]byte, 0, 64<<10)
	for done := false; !done; {
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, 4*cap(buf)), buf...)
		}
		got, err := t.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+got]
		if g := (*gap)(nil); errors.As(err, &g) {
			s.gap, err = g, nil
		}
		if err != nil && err != io.EOF {
			s.err = err
		}
		done = err != nil || len(buf) >= sniffBytes
		if p.look(buf, done) {
			break
		}
	}
	s.text = buf
	if s.gap == nil {
		s.gap = t.lower()
	}
	s.isSpark = p.spark
	s.appID, s.appAttempt = p.app()
	s.started = p.started
	return s
}

// mark sets logs apart that carry the same application id without holding its
// start: each may be another piece of one log, unless they begin alike.
func (s *sniffed) mark() string {
	if s.started {
		return ""
	}
	return string(firstLine(s.text[:min(len(s.text), 4096)]))
}

// peeker looks at the first lines for the marks of a Spark log.
type peeker struct {
	pos     int // bytes of the text looked at
	lines   int
	spark   bool
	started bool // the application start was found
	id      string
	attempt string
	hint    string // an application id from elsewhere, for logs without a start
}

func (p *peeker) app() (id, attempt string) {
	if p.started {
		return p.id, p.attempt
	}
	return p.hint, ""
}

// look takes in the whole lines of text that are new, at the end the last one
// too. It reports that no more need be read.
func (p *peeker) look(text []byte, end bool) bool {
	for p.lines < sniffLines && !p.started {
		rest := text[p.pos:]
		i := bytes.IndexByte(rest, '\n')
		if i < 0 && (!end || len(rest) == 0) {
			return false
		}
		if i < 0 {
			i = len(rest) - 1
		}
		p.line(rest[:i+1])
		p.pos += i + 1
	}
	return true
}

func (p *peeker) line(line []byte) {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, utf8BOM))
	if len(line) == 0 {
		return
	}
	p.lines++
	event, ok := eventName(line)
	if !ok {
		return
	}
	p.spark = p.spark || ofSpark(event)
	switch {
	case strings.HasSuffix(event, "SparkListenerApplicationStart"):
		p.start(line)
	case p.hint == "":
		p.hint = hintOf(line)
	}
}

// start takes the application from its start event.
func (p *peeker) start(line []byte) {
	var e struct {
		AppID   string `json:"App ID"`
		Attempt string `json:"App Attempt ID"`
		Slim    string `json:"appId"`
	}
	// A damaged line gives what it has: its decoding is not our concern.
	_ = json.NewDecoder(bytes.NewReader(line)).Decode(&e)
	p.started = true
	p.id, p.attempt = e.AppID, e.Attempt
	for _, other := range []string{e.Slim, p.hint} {
		if p.id == "" {
			p.id = other
		}
	}
}

// hintOf finds the application's id in a line that is not its start: slim logs
// carry it in each event, and the environment lists it as a setting.
func hintOf(line []byte) string {
	for _, key := range []string{`"appId":"`, `"spark.app.id":"`} {
		_, rest, ok := bytes.Cut(line, []byte(key))
		if !ok {
			continue
		}
		if id, _, ok := bytes.Cut(rest, []byte{'"'}); ok && !bytes.ContainsRune(id, '\\') {
			return string(id)
		}
	}
	return ""
}

var eventPrefix = []byte(`{"Event":"`)

// eventName returns the value of "Event" of a line that is a JSON object, as
// far as the line is one: it may be cut, or go on behind its end.
func eventName(line []byte) (string, bool) {
	if rest, ok := bytes.CutPrefix(line, eventPrefix); ok {
		name, _, _ := bytes.Cut(rest, []byte{'"'})
		return string(name), !bytes.ContainsRune(name, '\\')
	}
	if len(line) == 0 || line[0] != '{' || !bytes.Contains(line, []byte(`"Event"`)) {
		return "", false
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	if _, err := dec.Token(); err != nil {
		return "", false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return "", false
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return "", false
		}
		if key == "Event" {
			var name string
			return name, json.Unmarshal(value, &name) == nil
		}
	}
	return "", false
}

// ofSpark recognises the names of events of Spark and of its vendors.
func ofSpark(event string) bool {
	for _, mark := range []string{"Spark", "spark", "DBC", "databricks"} {
		if strings.Contains(event, mark) {
			return true
		}
	}
	return false
}
