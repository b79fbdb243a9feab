package main

import (
	"context"
	"errors"
	"maps"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"tracereplay/cmd/replay/internal/decode"
	"tracereplay/ingest"
	"tracereplay/ingest/source"
	"tracereplay/internal/problem"
	"tracereplay/internal/table"
	"tracereplay/lineage"
	"tracereplay/replay"
)

// ingestLogs is the way from the logs that the user named to a trace: find
// them, and of each read blocks, decode events, record rows, derive lineage.
// Of many logs that end up at a place of the user's, target, several are read
// at a time, see many.go; "" reads them one after the other.
func ingestLogs(ctx context.Context, env *Env, in *inputFlags, names []string, w *replay.TraceWriter, target string) (*outcome, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // see longLog
	machines, err := readMachines(in.machines)
	if err != nil {
		return nil, err
	}
	logs, notes, err := source.Resolve(names, in.source(env.In))
	for _, n := range notes {
		env.note("%s", n)
	}
	if err != nil {
		return nil, err
	}
	bar := startProgress(env.Err, logs)
	defer bar.stop()
	task := &ingestTask{env: env, in: in, machines: machines, bar: bar}
	if len(logs) > 1 && target != "" {
		return task.many(ctx, logs, w, target)
	}
	return task.oneByOne(ctx, logs, w)
}

// longLog is from how many lines on memory is saved. Garbage is collected early:
// what lives longest is the lineage's hundred bytes a task, which hold no
// pointers, so that it costs little then, and a tenth of the time before. And
// what lineage held is given back before the derived tables are made: DuckDB
// needs room for those, and Go by itself gives it back too late.
const longLog = 200_000

// ingestTask is what reading any of the logs needs.
type ingestTask struct {
	env      *Env
	in       *inputFlags
	machines map[string]string
	bar      *progress
	events   atomic.Int64 // of all logs so far
}

// count counts events, and begins to save memory when there are many.
func (t *ingestTask) count(n int) {
	if all := t.events.Add(int64(n)); all > longLog && all-int64(n) <= longLog {
		debug.SetGCPercent(15)
	}
}

func (t *ingestTask) oneByOne(ctx context.Context, logs []*source.Log, w *replay.TraceWriter) (*outcome, error) {
	out := newOutcome()
	workers := t.in.cores() - 1 // one core is left for the recorder and the database
	for i, log := range logs {
		s, err := t.ingest(ctx, int64(i+1), log, w, workers)
		err = out.add(log.Name, s, err)
		if err != nil && (len(logs) == 1 || ctx.Err() != nil || w.Err() != nil || errors.As(err, new(*twiceError))) {
			return nil, err
		}
	}
	if err := w.Loaded(ctx); err != nil {
		return nil, err
	}
	if out.lines > longLog {
		debug.FreeOSMemory()
	}
	return out, replay.Derive(ctx, w, slices.Sorted(maps.Keys(out.apps)), t.in.cores())
}

// ingest reads one log into the sink.
func (t *ingestTask) ingest(ctx context.Context, number int64, log *source.Log, sink table.Sink, workers int) (ingest.Summary, error) {
	reader, err := log.Open(t.in.source(t.env.In))
	if err != nil {
		return ingest.Summary{}, err
	}
	defer reader.Close()
	defer t.bar.read(log, reader)()
	var at places
	rec := ingest.NewRecorder(ingest.RecorderOptions{
		Log: number, LogName: log.Name, AppID: log.AppID, AppAttempt: log.AppAttempt, Compacted: log.Compacted,
		Machines: t.machines, Sink: sink, Listener: lineage.NewBuilder(sink), Place: at.find,
	})
	err = decode.Run(ctx, reader, t.in.decode(log, workers), func(block *source.Block, b *ingest.Batch) error {
		at.add(log, block)
		t.bar.events(len(b.Order))
		t.count(len(b.Order))
		return rec.Batch(b)
	})
	if err != nil && (ctx.Err() != nil || !errors.As(err, new(*decode.ReadError))) {
		return ingest.Summary{}, err
	}
	// What was read before an error of reading is kept: it may be one log of many.
	s, finishErr := rec.Finish(sourceRows(number, log, reader.PartStats()), reader.Problems())
	return s, errors.Join(err, finishErr)
}

// sourceRows are the rows of table source of one log.
func sourceRows(number int64, log *source.Log, stats []source.PartStat) []ingest.SourceRow {
	rows := make([]ingest.SourceRow, len(stats))
	seq := int64(1)
	for i, s := range stats {
		rows[i] = ingest.SourceRow{
			Log: number, LogName: log.Name, Part: int64(i), Path: s.Name, Codec: s.Codec,
			DiskBytes: table.I64{V: s.DiskBytes, OK: log.Parts[i].Size >= 0},
			TextBytes: s.TextBytes, Lines: s.Lines, FirstSeq: seq,
		}
		seq += s.Lines
	}
	return rows
}

// places finds the file and line of a seq among the parts read so far.
type places struct{ parts []place }

type place struct {
	seq, line int64
	file      string
}

// add notes where a part begins.
func (p *places) add(log *source.Log, b *source.Block) {
	file := log.Parts[b.Part].Name
	if n := len(p.parts); n == 0 || p.parts[n-1].file != file {
		p.parts = append(p.parts, place{b.Seq, b.Line, file})
	}
}

func (p *places) find(seq int64) problem.Pos {
	for i := len(p.parts) - 1; i >= 0; i-- {
		if at := p.parts[i]; at.seq <= seq {
			return problem.Pos{File: at.file, Line: at.line + seq - at.seq, Offset: -1}
		}
	}
	return problem.Pos{Offset: -1}
}
