package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tracereplay/cmd/replay/internal/render"
	"tracereplay/ingest/source"
	"tracereplay/internal/human"
)

// progress shows a person how far reading has come. Without a terminal it
// does nothing.
type progress struct {
	w       io.Writer
	width   int
	total   int64 // bytes of all logs, -1 if unknown
	nLogs   int
	started time.Time
	ended   chan struct{}
	wg      sync.WaitGroup
	once    sync.Once

	count atomic.Int64 // events

	mu      sync.Mutex
	done    int64 // bytes of the logs that are done
	begun   int   // logs
	reading map[*source.Reader]bool
	name    string // of the log that was begun last
}

// startProgress begins to show progress, on a terminal only.
func startProgress(w io.Writer, logs []*source.Log) *progress {
	p := &progress{w: w, nLogs: len(logs), total: totalSize(logs), ended: make(chan struct{}), reading: map[*source.Reader]bool{}}
	width, ok := terminalWidth(w)
	if !ok {
		return p
	}
	p.width = max(width, 20)
	p.started = time.Now()
	p.wg.Go(p.show)
	return p
}

func totalSize(logs []*source.Log) int64 {
	var n int64
	for _, l := range logs {
		for _, part := range l.Parts {
			if part.Size < 0 {
				return -1
			}
			n += part.Size
		}
	}
	return n
}

// read tells that a log is being read, until the function it returns is called.
func (p *progress) read(l *source.Log, r *source.Reader) func() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun++
	p.name = l.Name
	p.reading[r] = true
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		n, _ := r.Progress()
		p.done += n
		delete(p.reading, r)
	}
}

// skip tells that a log need not be read.
func (p *progress) skip(l *source.Log) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun++
	p.done += max(0, totalSize([]*source.Log{l}))
}

// events counts what was read.
func (p *progress) events(n int) { p.count.Add(int64(n)) }

// stop takes the line off the terminal.
func (p *progress) stop() {
	p.once.Do(func() { close(p.ended) })
	p.wg.Wait()
}

func (p *progress) show() {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			fmt.Fprintf(p.w, "\r\x1b[K%s", p.line(time.Since(p.started)))
		case <-p.ended:
			fmt.Fprint(p.w, "\r\x1b[K")
			return
		}
	}
}

// line is what the terminal shows after some time.
func (p *progress) line(since time.Duration) string {
	p.mu.Lock()
	read, name, n := p.done, p.name, p.begun
	for r := range p.reading {
		n, _ := r.Progress()
		read += n
	}
	p.mu.Unlock()
	s := human.Bytes(read)
	if p.total > 0 {
		s = fmt.Sprintf("%s of %s", s, human.Bytes(p.total))
	}
	if sec := since.Seconds(); sec > 0 {
		s += fmt.Sprintf(", %s events/s", human.Count(int64(float64(p.count.Load())/sec)))
	}
	if left, ok := timeLeft(since, read, p.total); ok {
		s += ", " + human.Duration(left.Milliseconds()) + " left"
	}
	if p.nLogs > 1 {
		s = fmt.Sprintf("%d/%d: %s", n, p.nLogs, s)
	}
	return cut(s+"  "+render.Safe(name), p.width-1)
}

// timeLeft supposes that the rest goes as the part so far did.
func timeLeft(since time.Duration, read, total int64) (time.Duration, bool) {
	if total <= 0 || read <= 0 || since < time.Second {
		return 0, false
	}
	left := time.Duration(float64(since) * float64(max(total-read, 0)) / float64(read))
	return left.Round(time.Second), true
}

// cut keeps a line from running over the terminal's edge.
func cut(s string, width int) string {
	r := []rune(s)
	if len(r) <= width {
		return s
	}
	return strings.TrimRight(string(r[:width-1]), " ") + "…"
}
