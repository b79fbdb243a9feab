package main

import (
	"context"
	"errors"
	"maps"
	"runtime/debug"
	"slices"

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
func ingestLogs(ctx context.Context, env *Env, in *inputFlags, names []string, w *replay.TraceWriter) (*outcome, error) {
	// What lives longest is the lineage's hundred bytes a task. Collecting at
	// half as much garbage again, not at as much, costs 3 % of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
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
	out := newOutcome()
	bar := startProgress(env.Err, logs)
	defer bar.stop()
	for i, log := range logs {
		bar.log(i, log)
		s, err := ingestLog(ctx, env, in, int64(i+1), log, machines, w, bar)
		if err = out.add(log.Name, s, err); err != nil && (len(logs) == 1 || ctx.Err() != nil || w.Err() != nil) {
			return nil, err
		}
	}
	if err := w.Loaded(ctx, in.cores()); err != nil {
		return nil, err
	}
	return out, replay.Derive(ctx, w, slices.Sorted(maps.Keys(out.apps)))
}

// ingestLog reads one log into the sink.
func ingestLog(ctx context.Context, env *Env, in *inputFlags, number int64, log *source.Log, machines map[string]string,
	sink table.Sink, bar *progress,
) (ingest.Summary, error) {
	reader, err := log.Open(in.source(env.In))
	if err != nil {
		return ingest.Summary{}, err
	}
	defer reader.Close()
	bar.reads(reader)
	var at places
	rec := ingest.NewRecorder(ingest.RecorderOptions{
		Log: number, LogName: log.Name, AppID: log.AppID, AppAttempt: log.AppAttempt, Compacted: log.Compacted,
		Machines: machines, Sink: sink, Listener: lineage.NewBuilder(sink), Place: at.find,
	})
	err = decode.Run(ctx, reader, in.decode(log), func(block *source.Block, b *ingest.Batch) error {
		at.add(log, block)
		bar.events(len(b.Order))
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
