package replay

import (
	"context"
	_ "embed"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

var (
	//go:embed trace_findings.sql
	findingsSQL string
	//go:embed trace_invariants.sql
	invariantsSQL string
	//go:embed trace_size.sql
	sizeSQL string
)

// ProblemCount is how often one kind of problem was met in the input.
type ProblemCount struct {
	Kind  string `col:"kind"`
	Count int64  `col:"n"`
}

// Problems counts the rows of table problem by kind.
func (t *Trace) Problems(ctx context.Context) ([]ProblemCount, error) {
	return CountProblems(ctx, t.db)
}

// CountProblems is Problems for the session that writes a trace.
func CountProblems(ctx context.Context, db *duck.DB) ([]ProblemCount, error) {
	return duck.Query[ProblemCount](ctx, db, "SELECT kind, count(*) AS n FROM problem GROUP BY kind ORDER BY kind")
}

// Finding is a problem of the input, or a place where an invariant of the
// lineage does not hold.
type Finding struct {
	Class   string    `col:"class"` // problem or invariant
	Kind    string    `col:"kind"`
	App     table.Str `col:"app"`
	File    table.Str `col:"file"`
	Line    table.I64 `col:"line"`
	Offset  table.I64 `col:"byte_offset"`
	Seq     table.I64 `col:"seq"`
	Skipped table.I64 `col:"skipped_bytes"`
	Event   table.Str `col:"event"`
	Detail  string    `col:"detail"`
}

// Findings lists problems first, then invariants, in the order of the log.
func (t *Trace) Findings(ctx context.Context) ([]Finding, error) {
	return duck.Query[Finding](ctx, t.db, findingsSQL)
}

// Invariant is one invariant of the lineage and how it fared.
type Invariant struct {
	Name       string `col:"name"`
	Statement  string `col:"statement"`
	Looked     int64  `col:"looked"`
	Violations int64  `col:"violations"`
}

// Invariants lists all that were looked at.
func (t *Trace) Invariants(ctx context.Context) ([]Invariant, error) {
	return duck.Query[Invariant](ctx, t.db, invariantsSQL)
}

// Size is how much a trace holds.
type Size struct {
	Apps     int64 `col:"apps"`
	Tasks    int64 `col:"tasks"`
	Workers  int64 `col:"workers"`
	Machines int64 `col:"machines"`
	Removals int64 `col:"removals"`
}

// SizeOf counts, also in the session that writes a trace.
func SizeOf(ctx context.Context, db *duck.DB) (Size, error) {
	return duck.QueryOne[Size](ctx, db, sizeSQL)
}
