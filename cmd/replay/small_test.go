package main

import (
	"maps"
	"strings"
	"testing"
	"time"

	"tracereplay/ingest/source"
)

func TestProgressLine(t *testing.T) {
	p := startProgress(&strings.Builder{}, []*source.Log{{Name: "a", Parts: []*source.Part{{Size: 3 << 30}}}, {Name: "b\x1b", Parts: []*source.Part{{Size: 1 << 30}}}})
	defer p.stop()
	p.width = 100
	p.skip(&source.Log{Name: "a", Parts: []*source.Part{{Size: 1 << 30}}})
	p.begun, p.name = 2, "b\x1b"
	p.events(3_000_000)
	if got, want := p.line(10*time.Second), `2/2: 1 GiB of 4 GiB, 300,000 events/s, 30 s left  b\x1b`; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	p.width = 20
	if got := p.line(10 * time.Second); len([]rune(got)) > 19 {
		t.Errorf("%q is too long", got)
	}
	p.width, p.total = 100, -1 // a stream
	if got, want := p.line(10*time.Second), `2/2: 1 GiB, 300,000 events/s  b\x1b`; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestParseMachines(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"worker,machine\n1,m1\n2, m1\n": {"1": "m1", "2": "m1"},
		"\ufeff1,m1\r\n1,m1\r\n":        {"1": "m1"},
		"":                              {},
		"machine,worker\n":              {"machine": "worker"},
	} {
		if got, err := parseMachines(strings.NewReader(text)); err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %v %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"1\n", "1,m1,x\n", "1,m1\n1,m2\n", ",m1\n", "1,\n", "\"1,m1\n"} {
		if got, err := parseMachines(strings.NewReader(text)); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestLimitFlag(t *testing.T) {
	var l limitFlag
	for _, s := range []string{"MaxLine=1GiB", "MaxFiles=7", "MaxDepth=3"} {
		if err := l.Set(s); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	if l.MaxLine != 1<<30 || l.MaxFiles != 7 || l.MaxDepth != 3 {
		t.Errorf("%+v", l.Limits)
	}
	for _, s := range []string{"", "MaxLine", "MaxLine=", "MaxLine=-1", "MaxLine=0", "MaxLine=x", "Nothing=3", "MaxLine=9999999999TiB"} {
		if err := l.Set(s); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
}

func TestClosest(t *testing.T) {
	for name, want := range map[string]string{"injest": "ingest", "sq": "sql", "table": "tables", "chekc": "check", "compl": "completion", "xyzzy": ""} {
		if got := closest(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
