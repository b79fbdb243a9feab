package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"tracereplay/ingest"
	"tracereplay/ingest/source"
	"tracereplay/internal/aside"
	"tracereplay/internal/human"
	"tracereplay/replay"
)

// How many logs become one trace:
//
//  1. As many workers as there are cores take logs, each a log at a time. A
//     worker makes a small trace of its log, derived tables and all, and leaves
//     its rows as a part in a directory beside the target: KEY.part, then
//     KEY.json, which says that the part is whole.
//  2. The caller takes the parts in the order of the logs, so that the trace is
//     the same whoever was faster, and loads them.
//  3. When the trace is in its place the directory goes. After a kill or an
//     error it stays, and the next run with the same target takes from it what
//     is finished. KEY tells log, flags and version, so that nothing stale is.
//
// A log that cannot be read to its end is told of at the end, and what was read
// of it is in the trace; its part is not kept, so that the next run tries again.
type many struct {
	*ingestTask
	dir   *aside.Kept
	parts []*part
	next  atomic.Int64 // the log that the next free worker takes
	inner int          // goroutines that decode, for each log
	taken int          // parts of an earlier run
}

// part is one log on its way into the trace.
type part struct {
	log   *source.Log
	key   string
	fixed bool // the key would be the same in another run
	done  chan struct{}
	sum   partSummary
	err   error // the whole work must end
}

// partSummary is what is known of a finished part; it is stored beside it.
type partSummary struct {
	Bytes   int64 // of the part
	Summary ingest.Summary
	Error   string `json:",omitempty"` // the log could not be read to its end
}

func (t *ingestTask) many(ctx context.Context, logs []*source.Log, w *replay.TraceWriter, target string) (out *outcome, err error) {
	dir, err := aside.Keep(target)
	if err != nil {
		return nil, err
	}
	m := &many{ingestTask: t, dir: dir}
	workers := min(t.in.cores(), len(logs))
	m.inner = max(1, t.in.cores()/workers-1)
	if err := m.plan(logs); err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { m.work(ctx) })
	}
	out, err = m.collect(ctx, w)
	cancel()
	wg.Wait()
	if err != nil {
		return nil, errors.Join(err, m.keep())
	}
	out.parts = dir
	return out, nil
}

// keep leaves the finished parts to the next run.
func (m *many) keep() error {
	n := 0
	for _, p := range m.parts {
		if _, ok := m.finished(p); ok {
			n++
		}
	}
	if n == 0 {
		return m.dir.Remove()
	}
	m.env.note("%s of %s are finished and kept in %s: the same command goes on from there", human.Count(int64(n)), human.Counted(int64(len(m.parts)), "log", "logs"), m.dir.Path())
	return m.dir.Close()
}

// plan finds out which logs are done already.
func (m *many) plan(logs []*source.Log) error {
	common, err := m.in.fingerprint()
	if err != nil {
		return err
	}
	m.parts = make([]*part, len(logs))
	for i, log := range logs {
		p := &part{log: log, done: make(chan struct{})}
		m.parts[i] = p
		print := log.Fingerprint()
		p.fixed = print != ""
		p.key = fmt.Sprintf("log-%d", i)
		if p.fixed {
			sum := sha256.Sum256([]byte(common + print))
			p.key = hex.EncodeToString(sum[:12])
		}
		if sum, ok := m.finished(p); ok {
			p.sum = sum
			m.taken++
			m.bar.skip(log)
			close(p.done)
		}
	}
	if m.taken > 0 {
		m.env.note("%s of %s were finished by an earlier run, and are not read again", human.Count(int64(m.taken)), human.Counted(int64(len(logs)), "log", "logs"))
	}
	return nil
}

// fingerprint names whatever besides the log its rows depend on.
func (f *inputFlags) fingerprint() (string, error) {
	s := fmt.Sprintf("%s %d %v %v %+v\n", version, replay.SchemaVersion, f.allowCompacted, f.fullParse, f.limits.Limits)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, b := range info.Settings { // vcs.revision and the like: two builds of one version
			s += b.Key + "=" + b.Value + "\n"
		}
	}
	if f.machines == "" {
		return s, nil
	}
	text, err := os.ReadFile(f.machines)
	return s + string(text), err
}

func (m *many) path(p *part, ext string) string { return filepath.Join(m.dir.Path(), p.key+ext) }

// finished tells whether a part is there and whole.
func (m *many) finished(p *part) (sum partSummary, ok bool) {
	text, err := os.ReadFile(m.path(p, ".json"))
	if err != nil || !p.fixed || json.Unmarshal(text, &sum) != nil || sum.Error != "" {
		return partSummary{}, false
	}
	info, err := os.Stat(m.path(p, ".part"))
	return sum, err == nil && info.Size() == sum.Bytes
}

// work makes parts until none is left to make.
func (m *many) work(ctx context.Context) {
	for ctx.Err() == nil {
		i := int(m.next.Add(1)) - 1
		if i >= len(m.parts) {
			return
		}
		p := m.parts[i]
		select {
		case <-p.done:
			continue
		default:
		}
		p.err = m.make(ctx, p)
		close(p.done)
		if p.err != nil {
			return
		}
	}
}

// make makes a part.
func (m *many) make(ctx context.Context, p *part) (err error) {
	opt := createOptions(m.env)
	opt.Force = true
	w, err := replay.Create(ctx, m.path(p, ".duckdb"), opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Abort()) }()
	s, err := m.ingest(ctx, 0, p.log, w, m.inner)
	if ctx.Err() != nil || w.Err() != nil {
		return errors.Join(ctx.Err(), w.Err())
	}
	p.sum = partSummary{Summary: s}
	if err == nil || len(s.Apps) > 0 {
		err = errors.Join(err, derive(ctx, w, s.Apps))
	}
	if err != nil {
		p.sum.Error = err.Error()
	}
	return m.store(ctx, p, w)
}

func derive(ctx context.Context, w *replay.TraceWriter, apps []ingest.AppRow) error {
	var names []string
	for _, a := range apps {
		names = append(names, a.App)
	}
	if err := w.Loaded(ctx); err != nil {
		return err
	}
	return replay.Derive(ctx, w, slices.Sorted(slices.Values(names)), 1)
}

// store writes the part's rows, then what says that they are whole.
func (m *many) store(ctx context.Context, p *part, w *replay.TraceWriter) error {
	file, err := os.Create(m.path(p, ".part"))
	if err != nil {
		return err
	}
	err = w.WritePart(ctx, file)
	if info, statErr := file.Stat(); statErr == nil {
		p.sum.Bytes = info.Size()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	text, err := json.Marshal(p.sum)
	if err != nil {
		return err
	}
	if err := os.WriteFile(m.path(p, ".tmp"), text, 0o666); err != nil {
		return err
	}
	return os.Rename(m.path(p, ".tmp"), m.path(p, ".json"))
}

// collect loads the parts in the order of the logs.
func (m *many) collect(ctx context.Context, w *replay.TraceWriter) (*outcome, error) {
	out := newOutcome()
	for i, p := range m.parts {
		select {
		case <-p.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if p.err != nil {
			return nil, p.err
		}
		if err := m.load(out, p, int64(i+1), w); err != nil {
			return nil, err
		}
	}
	if err := w.Loaded(ctx); err != nil {
		return nil, err
	}
	return out, w.DB().SetThreads(ctx, m.in.cores()) // row groups are written on all of them
}

// load adds a part to the trace, unless an application of it is there already.
func (m *many) load(out *outcome, p *part, number int64, w *replay.TraceWriter) error {
	var err error
	if p.sum.Error != "" {
		err = errors.New(p.sum.Error)
	}
	if errors.As(out.add(p.log.Name, p.sum.Summary, err), new(*twiceError)) {
		return nil
	}
	file, err := os.Open(m.path(p, ".part"))
	if err != nil {
		return err
	}
	return errors.Join(w.ReadPart(file, number), file.Close())
}
