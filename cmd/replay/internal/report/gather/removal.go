package gather

import (
	"context"

	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// removalRow is a row of sql/removal.sql.
type removalRow struct {
	Removal         int64     `col:"removal"`
	Kind            string    `col:"kind"`
	UnitKind        string    `col:"unit_kind"`
	Unit            string    `col:"unit"`
	GoneLowMs       table.I64 `col:"gone_low_ms"`
	GoneHighMs      table.I64 `col:"gone_high_ms"`
	DetectedMs      int64     `col:"detected_ms"`
	NoticedMs       int64     `col:"noticed_ms"`
	Cause           string    `col:"cause"`
	Reason          table.Str `col:"reason"`
	Workers         int64     `col:"workers"`
	ResidentOutputs int64     `col:"resident_outputs"`
	LostOutputs     int64     `col:"lost_outputs"`
	LostBytes       int64     `col:"lost_bytes"`
	NeededOutputs   int64     `col:"needed_outputs"`
	InFlightTasks   int64     `col:"in_flight_tasks"`
	InFlightMs      int64     `col:"in_flight_ms"`
	PiecesAgain     int64     `col:"pieces_again"`
	OwedMs          int64     `col:"owed_ms"`
	ClimbMs         int64     `col:"climb_ms"`
	UnneededMs      int64     `col:"unneeded_ms"`
	DuplicateMs     int64     `col:"duplicate_ms"`
	RollbackMs      int64     `col:"rollback_ms"`
	RerunTasks      int64     `col:"rerun_tasks"`
	RerunMs         int64     `col:"rerun_ms"`
	OldestLostAgeMs table.I64 `col:"oldest_lost_age_ms"`
}

// removals asks what the recorded removals cost.
func (g *gatherer) removals(ctx context.Context) error {
	all, err := rows[removalRow](ctx, g.db, "removal", g.app)
	for _, r := range all {
		g.in.Removals = append(g.in.Removals, result.Removal{
			App: g.app, Removal: r.Removal, Kind: r.Kind, UnitKind: r.UnitKind, Unit: r.Unit, GoneLowMs: r.GoneLowMs, GoneHighMs: r.GoneHighMs,
			DetectedMs: r.DetectedMs, NoticedMs: r.NoticedMs, Cause: r.Cause, Reason: r.Reason, Workers: r.Workers,
			ResidentOutputs: r.ResidentOutputs, LostOutputs: r.LostOutputs, LostBytes: r.LostBytes, NeededOutputs: r.NeededOutputs,
			InFlightTasks: r.InFlightTasks, InFlightMs: r.InFlightMs, PiecesAgain: r.PiecesAgain, OwedMs: r.OwedMs, ClimbMs: r.ClimbMs,
			UnneededMs: r.UnneededMs, DuplicateMs: r.DuplicateMs, RollbackMs: r.RollbackMs, RerunTasks: r.RerunTasks, RerunMs: r.RerunMs,
			OldestLostAgeMs: r.OldestLostAgeMs,
		})
	}
	return err
}
