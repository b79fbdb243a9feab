package gather

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tracereplay/analysis"
	"tracereplay/internal/table"
)

// appRow is a row of sql/app.sql.
type appRow struct {
	App         string    `col:"app"`
	Name        table.Str `col:"name"`
	Engine      string    `col:"engine"`
	Version     string    `col:"engine_version"`
	User        table.Str `col:"user_name"`
	Manager     table.Str `col:"cluster_manager"`
	Coordinator table.Str `col:"coordinator_machine"`
	FirstMs     int64     `col:"first_ms"`
	LastMs      int64     `col:"last_ms"`
	IsEnded     bool      `col:"is_ended"`
	IsStreaming bool      `col:"is_streaming"`
	IsCompacted bool      `col:"is_compacted"`
	MakespanMs  table.I64 `col:"makespan_ms"`
	Tasks       int64     `col:"tasks"`
	SlotMs      int64     `col:"slot_ms"`
	RealWorkers int64     `col:"real_workers"`
	Unplaced    int64     `col:"unplaced_workers"`
}

func (g *gatherer) run(ctx context.Context) error {
	all, err := rows[appRow](ctx, g.db, "app", g.app)
	if err != nil {
		return err
	}
	if len(all) != 1 {
		return fmt.Errorf("the trace has no application %q", g.app)
	}
	a := all[0]
	g.in.App = analysis.App{
		ID: a.App, Name: a.Name.V, Engine: a.Engine, Version: a.Version, User: a.User.V, Manager: a.Manager.V,
		FromMs: a.FirstMs, ToMs: a.LastMs, MakespanMs: a.MakespanMs, IsEnded: a.IsEnded,
		IsStreaming: a.IsStreaming, IsCompacted: a.IsCompacted, IsLocal: a.RealWorkers == 0 && a.Tasks > 0,
		Tasks: a.Tasks, SlotMs: a.SlotMs, UnplacedWorkers: a.Unplaced, CoordinatorMachine: a.Coordinator.V,
	}
	return nil
}

// jobRow is a row of sql/job.sql.
type jobRow struct {
	Job      int64  `col:"job"`
	Name     string `col:"name"`
	FromMs   int64  `col:"from_ms"`
	ToMs     int64  `col:"to_ms"`
	IsFailed bool   `col:"is_failed"`
	IsCut    bool   `col:"is_cut"`
}

func (g *gatherer) jobs(ctx context.Context) error {
	all, err := rows[jobRow](ctx, g.db, "job", g.app)
	for _, j := range all {
		g.in.Jobs = append(g.in.Jobs, analysis.Job(j))
	}
	return err
}

// stageRow is a row of sql/stage.sql.
type stageRow struct {
	Job     table.I64 `col:"job"`
	Stage   int64     `col:"stage"`
	Attempt int64     `col:"stage_attempt"`
	Name    string    `col:"name"`
	FromMs  int64     `col:"from_ms"`
	ToMs    int64     `col:"to_ms"`
	Tasks   int64     `col:"tasks"`
	Reruns  int64     `col:"reruns"`
	SlotMs  int64     `col:"slot_ms"`
	Failure string    `col:"failure"`
	IsCut   bool      `col:"is_cut"`
}

func (g *gatherer) stages(ctx context.Context) error {
	all, err := rows[stageRow](ctx, g.db, "stage", g.app)
	for _, s := range all {
		g.in.Stages = append(g.in.Stages, analysis.Stage(s))
	}
	return err
}

// storageRow is a row of sql/storage.sql.
type storageRow struct {
	DiesWith string `col:"dies_with"`
	Holders  int64  `col:"holders"`
	Outputs  int64  `col:"outputs"`
	Blocks   int64  `col:"blocks"`
}

type settingRow struct {
	Name  string `col:"name"`
	Value string `col:"value"`
}

func (g *gatherer) storage(ctx context.Context) error {
	settings, err := rows[settingRow](ctx, g.db, "setting", g.app)
	if err != nil {
		return err
	}
	evidence := evidenceOf(settings)
	all, err := rows[storageRow](ctx, g.db, "storage", g.app)
	for _, s := range all {
		row := analysis.Storage{DiesWith: s.DiesWith, Holders: s.Holders, Outputs: s.Outputs, Blocks: s.Blocks}
		if s.Outputs > 0 {
			row.Evidence = evidence
		}
		g.in.Storage = append(g.in.Storage, row)
	}
	return err
}

// evidenceOf lists the settings that say what keeps map outputs.
func evidenceOf(settings []settingRow) string {
	if len(settings) == 0 {
		return "no setting names a shuffle service, so outputs stand on their workers"
	}
	var parts []string
	for _, s := range settings {
		parts = append(parts, s.Name+"="+s.Value)
	}
	return strings.Join(parts, ", ")
}

// problemRow is a row of sql/problem.sql.
type problemRow struct {
	Kind    string    `col:"kind"`
	Count   int64     `col:"problems"`
	Skipped int64     `col:"skipped_bytes"`
	File    table.Str `col:"file"`
	Line    table.I64 `col:"line"`
	Detail  table.Str `col:"detail"`
}

func (g *gatherer) problems(ctx context.Context) error {
	all, err := rows[problemRow](ctx, g.db, "problem", g.app)
	for _, p := range all {
		g.in.Problems = append(g.in.Problems, analysis.Problem{Kind: p.Kind, Count: p.Count, SkippedBytes: p.Skipped, Example: p.example()})
	}
	return err
}

// example is where and what the first problem of a kind is.
func (p problemRow) example() string {
	parts := []string{p.File.V}
	if p.Line.OK {
		parts = append(parts, fmt.Sprint(p.Line.V))
	}
	parts = append(parts, " "+p.Detail.V)
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ":")
}

// checkRow is a row of sql/check.sql.
type checkRow struct {
	Statement  string `col:"statement"`
	Looked     int64  `col:"looked"`
	Violations int64  `col:"violations"`
	Detail     string `col:"detail"`
}

func (g *gatherer) checks(ctx context.Context) error {
	all, err := rows[checkRow](ctx, g.db, "check", g.app)
	for _, c := range all {
		g.in.Checks = append(g.in.Checks, analysis.Check{Name: c.Statement, Looked: c.Looked, Violations: c.Violations, Detail: c.Detail})
	}
	return err
}
