package result

import "tracereplay/internal/table"

const layer = "result"

// Blast is what the removal of one unit at one instant costs. Docs of the
// fields are those of the columns of Blasts.
type Blast struct {
	App                string    `col:"app"`
	UnitKind           string    `col:"unit_kind"`
	Unit               string    `col:"unit"`
	InstantMs          int64     `col:"instant_ms"`
	UntilMs            int64     `col:"until_ms"`
	InFlightTasks      int64     `col:"in_flight_tasks"`
	InFlightMs         int64     `col:"in_flight_ms"`
	OwedOutputs        int64     `col:"owed_outputs"`
	OwedBytes          int64     `col:"owed_bytes"`
	OwedMs             int64     `col:"owed_ms"`
	OwedLowOutputs     int64     `col:"owed_low_outputs"`
	OwedLowMs          int64     `col:"owed_low_ms"`
	ClimbOutputs       int64     `col:"climb_outputs"`
	ClimbBytes         int64     `col:"climb_bytes"`
	ClimbMs            int64     `col:"climb_ms"`
	ClimbLowOutputs    int64     `col:"climb_low_outputs"`
	ClimbLowMs         int64     `col:"climb_low_ms"`
	CachedBlocks       int64     `col:"cached_blocks"`
	CachedBytes        int64     `col:"cached_bytes"`
	CachedMs           int64     `col:"cached_ms"`
	InterruptedLow     int64     `col:"interrupted_low"`
	InterruptedHigh    int64     `col:"interrupted_high"`
	InterruptedHighMs  int64     `col:"interrupted_high_ms"`
	RecomputeMs        int64     `col:"recompute_ms"`
	RecomputeLowMs     int64     `col:"recompute_low_ms"`
	EngineRedoOutputs  int64     `col:"engine_redo_outputs"`
	EngineRedoMs       int64     `col:"engine_redo_ms"`
	OldestLostAgeMs    table.I64 `col:"oldest_lost_age_ms"`
	RoundsLive         int64     `col:"rounds_live"`
	Known              string    `col:"known"`
	CachedLowBlocks    int64     `col:"cached_low_blocks"`
	CachedLowMs        int64     `col:"cached_low_ms"`
	LostOutputs        int64     `col:"lost_outputs"`
	LostBytes          int64     `col:"lost_bytes"`
	SupremumMs         int64     `col:"supremum_ms"`
	IsCoordinatorsHost bool      `col:"is_coordinator"`
	StatePartitions    int64     `col:"state_partitions"`
	StateBytes         table.I64 `col:"state_bytes"`
	StateLoadMs        table.I64 `col:"state_load_ms"`
}

// Blasts declares table blast.
var Blasts = table.New[Blast](table.Meta{
	Name: "blast", Layer: layer, Grain: "one row per unit and instant", Key: []string{"app", "unit_kind", "unit", "instant_ms"}, Order: []string{"unit_kind", "unit", "instant_ms"},
	Doc: "What would be lost just after the instant; docs/model.md defines every figure. High figures are the most that is redone, low ones the least.",
},
	table.Text("app", "", "application", func(r *Blast) string { return r.App }),
	table.Text("unit_kind", "", "worker, machine or service", func(r *Blast) string { return r.UnitKind }),
	table.Text("unit", "", "what is removed", func(r *Blast) string { return r.Unit }),
	table.Int("instant_ms", "ms", "", "when it is gone", func(r *Blast) int64 { return r.InstantMs }),
	table.Int("until_ms", "ms", "", "the next instant at which a cost jumps, or the unit's end", func(r *Blast) int64 { return r.UntilMs }),
	table.Int("in_flight_tasks", "", "", "attempts that run on it", func(r *Blast) int64 { return r.InFlightTasks }),
	table.Int("in_flight_ms", "slot ms", "", "how long these have run", func(r *Blast) int64 { return r.InFlightMs }),
	table.Int("owed_outputs", "", "", "pieces of lost shuffles that are needed", func(r *Blast) int64 { return r.OwedOutputs }),
	table.Int("owed_bytes", "bytes", "", "their size, as far as it is known", func(r *Blast) int64 { return r.OwedBytes }),
	table.Int("owed_ms", "slot ms", "", "what making them took", func(r *Blast) int64 { return r.OwedMs }),
	table.Int("owed_low_outputs", "", "", "pieces that are surely needed", func(r *Blast) int64 { return r.OwedLowOutputs }),
	table.Int("owed_low_ms", "slot ms", "", "what making them took", func(r *Blast) int64 { return r.OwedLowMs }),
	table.Int("climb_outputs", "", "", "pieces that must be there again to make others", func(r *Blast) int64 { return r.ClimbOutputs }),
	table.Int("climb_bytes", "bytes", "", "their size, as far as it is known", func(r *Blast) int64 { return r.ClimbBytes }),
	table.Int("climb_ms", "slot ms", "", "what making them took", func(r *Blast) int64 { return r.ClimbMs }),
	table.Int("climb_low_outputs", "", "", "the same, from what is surely needed", func(r *Blast) int64 { return r.ClimbLowOutputs }),
	table.Int("climb_low_ms", "slot ms", "", "what making them took", func(r *Blast) int64 { return r.ClimbLowMs }),
	table.Int("cached_blocks", "", "", "cached blocks that are read or climbed to, not counted in owed or climb", func(r *Blast) int64 { return r.CachedBlocks }),
	table.Int("cached_bytes", "bytes", "", "their size, as far as it is known", func(r *Blast) int64 { return r.CachedBytes }),
	table.Int("cached_ms", "slot ms", "", "what making them took", func(r *Blast) int64 { return r.CachedMs }),
	table.Int("interrupted_low", "", "", "readers elsewhere that are surely interrupted: none", func(r *Blast) int64 { return r.InterruptedLow }),
	table.Int("interrupted_high", "", "", "readers elsewhere that run and may have something left to fetch", func(r *Blast) int64 { return r.InterruptedHigh }),
	table.Int("interrupted_high_ms", "slot ms", "", "how long these have run; in no total", func(r *Blast) int64 { return r.InterruptedHighMs }),
	table.Int("recompute_ms", "slot ms", "in flight + owed + climb + cached", "what is redone at most", func(r *Blast) int64 { return r.RecomputeMs }),
	table.Int("recompute_low_ms", "slot ms", "in flight + owed low + climb low + cached low", "what is redone at least", func(r *Blast) int64 { return r.RecomputeLowMs }),
	table.Int("engine_redo_outputs", "", "", "pieces that the engine's own rule makes again: owed, climb, and what it re-queues without need", func(r *Blast) int64 { return r.EngineRedoOutputs }),
	table.Int("engine_redo_ms", "slot ms", "", "what these, the cached blocks and what is in flight took", func(r *Blast) int64 { return r.EngineRedoMs }),
	table.OptInt("oldest_lost_age_ms", "ms", "", "how long ago the oldest counted piece had been reported finished", "no piece is counted", func(r *Blast) table.I64 { return r.OldestLostAgeMs }),
	table.Int("rounds_live", "", "", "shuffles and caches of which pieces are counted", func(r *Blast) int64 { return r.RoundsLive }),
	table.Text("known", "", "the worst that a counted piece rests on: logged, derived, inferred or bound", func(r *Blast) string { return r.Known }),
	table.Int("cached_low_blocks", "", "", "cached blocks in recompute_low_ms", func(r *Blast) int64 { return r.CachedLowBlocks }),
	table.Int("cached_low_ms", "slot ms", "", "what making them took", func(r *Blast) int64 { return r.CachedLowMs }),
	table.Int("lost_outputs", "", "", "all pieces that would be lost, needed or not", func(r *Blast) int64 { return r.LostOutputs }),
	table.Int("lost_bytes", "bytes", "", "their size, as far as it is known", func(r *Blast) int64 { return r.LostBytes }),
	table.Int("supremum_ms", "slot ms", "", "recompute_ms just before until_ms: what is in flight grows until then", func(r *Blast) int64 { return r.SupremumMs }),
	table.Bool("is_coordinator", "", "the coordinator runs on it too: in no mean", func(r *Blast) bool { return r.IsCoordinatorsHost }),
	table.Int("state_partitions", "", "", "partitions of streaming queries' state that stand on it and would be loaded again from the checkpoint; 0 in a finite job", func(r *Blast) int64 { return r.StatePartitions }),
	table.OptInt("state_bytes", "bytes", "", "their size: that of a query's state, shared evenly: a bound", "no size was reported before", func(r *Blast) table.I64 { return r.StateBytes }),
	table.OptInt("state_load_ms", "slot ms", "", "loading them, at most; in no total", "the state store tells no load times, or none was loaded", func(r *Blast) table.I64 { return r.StateLoadMs }),
)
