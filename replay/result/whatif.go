package result

import "tracereplay/internal/table"

// Outcome is what removals cost under one policy: of one kind of unit, for one
// question, at one end of what the policy assumes.
type Outcome struct {
	App        string
	Policy     string // as a user would write it
	Question   string // any, or removal:N
	Removal    int64  // N
	IsStatic   bool
	UnitKind   string
	Applies    bool
	Why        string // it does not apply
	Assumption string // "" nothing is assumed

	// Of one removal, in slot ms. Nothing is known when the policy does not apply.
	MeanMs, MeanLowMs      table.Opt[float64]
	InFlightMs, CachedMs   table.Opt[float64] // parts of the mean
	P50Ms, P95Ms, MaxMs    table.I64
	MaxUnit                table.Str
	MaxInstantMs           table.I64
	DifferenceMs           table.Opt[float64] // to the mean of policy recorded
	Units, LifeMs          int64
	PerRate, VariancePer   table.Opt[float64] // of a run at a rate of 1 removal of each unit an hour: slot ms, and its variance
	PerRateLow             table.Opt[float64]
	PerRunMs, SdPerRunMs   table.Opt[float64] // at the rate that was asked for
	DelayMs                table.I64          // simulated: how much later the run ends, under the same policy without the loss
	SlowerMs               table.I64          // simulated: how much later it ends than policy recorded when nothing is lost
	UnfinishedRuns         table.I64          // simulated losses after which the run does not end
	IsSimulated            bool               // the mean and what goes with it were simulated, and so was what they differ from
	Price, SdPrice         table.Opt[float64] // expected, of a run
	BreakEvenRate          table.Opt[float64]
	Costs                  []PolicyCost
	Checked                string // what the policy was checked against in real runs
	MachineHours, SlotHour float64
}

// PolicyCost is one thing that a policy costs.
type PolicyCost struct {
	Kind  string
	Value float64
	Unit  string
}

// Of returns the policy's costs in one unit, added up.
func (o *Outcome) Of(unit string) float64 {
	sum := 0.0
	for _, c := range o.Costs {
		if c.Unit == unit {
			sum += c.Value
		}
	}
	return sum
}

// WhatIf is an outcome with one of its policy's costs: a row of table whatif.
type WhatIf struct {
	App           string             `col:"app"`
	Policy        string             `col:"policy"`
	Question      string             `col:"question"`
	Static        bool               `col:"static"`
	UnitKind      string             `col:"unit_kind"`
	Applies       bool               `col:"applies"`
	Assumption    table.Str          `col:"assumption"`
	MeanMs        table.I64          `col:"mean_recompute_ms"`
	P50Ms         table.I64          `col:"p50_recompute_ms"`
	P95Ms         table.I64          `col:"p95_recompute_ms"`
	MaxMs         table.I64          `col:"max_recompute_ms"`
	MaxUnit       table.Str          `col:"max_unit"`
	MaxInstantMs  table.I64          `col:"max_instant_ms"`
	PerRemovalMs  table.I64          `col:"expected_recompute_ms_per_removal"`
	PerRunMs      table.I64          `col:"expected_recompute_ms_per_run"`
	SdPerRunMs    table.I64          `col:"sd_recompute_ms_per_run"`
	DifferenceMs  table.I64          `col:"difference_ms"`
	DelayMs       table.I64          `col:"delay_ms"`
	BreakEvenRate table.Opt[float64] `col:"break_even_rate"`
	CostKind      table.Str          `col:"cost_kind"`
	CostValue     table.Opt[float64] `col:"cost_value"`
	CostUnit      table.Str          `col:"cost_unit"`
	Why           table.Str          `col:"why"`
	MeanLowMs     table.I64          `col:"mean_recompute_low_ms"`
	InFlightMs    table.I64          `col:"mean_in_flight_ms"`
	Units         int64              `col:"units"`
	LifeMs        int64              `col:"life_ms"`
	PerRateMs     table.I64          `col:"recompute_ms_per_run_at_rate_1"`
	Price         table.Opt[float64] `col:"expected_price_per_run"`
	SdPrice       table.Opt[float64] `col:"sd_price_per_run"`
	Checked       table.Str          `col:"checked"`
	SlowerMs      table.I64          `col:"slower_ms"`
	Unfinished    table.I64          `col:"unfinished_runs"`
}

// WhatIfs declares table whatif.
var WhatIfs = table.New[WhatIf](table.Meta{
	Name: "whatif", Layer: layer, Grain: "one row per policy, question, kind of unit, end of what is assumed, and cost of the policy",
	Key:   []string{"app", "policy", "question", "unit_kind", "assumption", "cost_kind"},
	Order: []string{"app", "policy", "question", "unit_kind", "assumption", "cost_kind"},
	Doc:   "Question any is measured from the undisturbed world, over all units and instants; removal:N is a recorded removal again. The figures of a policy stand in each of its rows, only the cost differs. App is empty in rows over all applications.",
},
	table.Text("app", "", "application", func(r *WhatIf) string { return r.App }),
	table.Text("policy", "", "policy, as a user would write it", func(r *WhatIf) string { return r.Policy }),
	table.Text("question", "", "any, or removal:N", func(r *WhatIf) string { return r.Question }),
	table.Bool("static", "", "the policy moves work in time, and that was not simulated", func(r *WhatIf) bool { return r.Static }),
	table.Text("unit_kind", "", "worker, machine or service", func(r *WhatIf) string { return r.UnitKind }),
	table.Bool("applies", "", "the policy applies to this run, question and kind of unit", func(r *WhatIf) bool { return r.Applies }),
	table.OptText("assumption", "", "what the policy assumes here", "it assumes nothing", func(r *WhatIf) table.Str { return r.Assumption }),
	table.OptInt("mean_recompute_ms", "slot ms", "", "one removal, at most, on average over units and their lives", "the policy does not apply", func(r *WhatIf) table.I64 { return r.MeanMs }),
	table.OptInt("p50_recompute_ms", "slot ms", "", "median over units and their lives", "does not apply, or over several applications", func(r *WhatIf) table.I64 { return r.P50Ms }),
	table.OptInt("p95_recompute_ms", "slot ms", "", "95 % quantile", "does not apply, or over several applications", func(r *WhatIf) table.I64 { return r.P95Ms }),
	table.OptInt("max_recompute_ms", "slot ms", "", "worst removal", "the policy does not apply", func(r *WhatIf) table.I64 { return r.MaxMs }),
	table.OptText("max_unit", "", "its unit", "the policy does not apply", func(r *WhatIf) table.Str { return r.MaxUnit }),
	table.OptInt("max_instant_ms", "ms", "", "where the interval with it starts", "the policy does not apply", func(r *WhatIf) table.I64 { return r.MaxInstantMs }),
	table.OptInt("expected_recompute_ms_per_removal", "slot ms", "", "integral of the cost over lives / lives", "the policy does not apply", func(r *WhatIf) table.I64 { return r.PerRemovalMs }),
	table.OptInt("expected_recompute_ms_per_run", "slot ms", "", "of a run at the rate asked for", "no rate, or a recorded removal", func(r *WhatIf) table.I64 { return r.PerRunMs }),
	table.OptInt("sd_recompute_ms_per_run", "slot ms", "", "its standard deviation, of removals that are independent", "no rate, or a recorded removal", func(r *WhatIf) table.I64 { return r.SdPerRunMs }),
	table.OptInt("difference_ms", "slot ms", "", "mean less that of policy recorded, same question", "does not apply, or no row of recorded", func(r *WhatIf) table.I64 { return r.DifferenceMs }),
	table.OptInt("delay_ms", "ms", "", "how much later the run ends under the policy because of the loss, on average", "not simulated", func(r *WhatIf) table.I64 { return r.DelayMs }),
	table.OptFloat("break_even_rate", "1/h", "", "removals of a machine an hour at which the discount is eaten", "no price, or it never is", func(r *WhatIf) table.Opt[float64] { return r.BreakEvenRate }),
	table.OptText("cost_kind", "", "what the policy costs", "it costs nothing", func(r *WhatIf) table.Str { return r.CostKind }),
	table.OptFloat("cost_value", "", "", "how much of it; below 0 it saves", "it costs nothing", func(r *WhatIf) table.Opt[float64] { return r.CostValue }),
	table.OptText("cost_unit", "", "slot_ms, machine_ms or bytes of a run; slot_ms_per_removal, bytes_per_removal", "it costs nothing", func(r *WhatIf) table.Str { return r.CostUnit }),
	table.OptText("why", "", "the policy does not apply", "it applies", func(r *WhatIf) table.Str { return r.Why }),
	table.OptInt("mean_recompute_low_ms", "slot ms", "", "one removal, at least, on average", "the policy does not apply", func(r *WhatIf) table.I64 { return r.MeanLowMs }),
	table.OptInt("mean_in_flight_ms", "slot ms", "", "part of the mean that is work in flight", "does not apply, or a recorded removal", func(r *WhatIf) table.I64 { return r.InFlightMs }),
	table.Int("units", "", "", "units that the means are over", func(r *WhatIf) int64 { return r.Units }),
	table.Int("life_ms", "ms", "", "their lives added up", func(r *WhatIf) int64 { return r.LifeMs }),
	table.OptInt("recompute_ms_per_run_at_rate_1", "slot ms", "", "of a run, for each removal of a unit an hour", "does not apply, or a recorded removal", func(r *WhatIf) table.I64 { return r.PerRateMs }),
	table.OptFloat("expected_price_per_run", "money", "", "of a run at the rate and prices asked for", "no price or rate", func(r *WhatIf) table.Opt[float64] { return r.Price }),
	table.OptFloat("sd_price_per_run", "money", "", "its standard deviation", "no price or rate", func(r *WhatIf) table.Opt[float64] { return r.SdPrice }),
	table.OptText("checked", "", "what the policy was checked against in real runs", "nothing yet", func(r *WhatIf) table.Str { return r.Checked }),
	table.OptInt("slower_ms", "ms", "", "how much later the run ends under the policy when nothing is lost", "not simulated", func(r *WhatIf) table.I64 { return r.SlowerMs }),
	table.OptInt("unfinished_runs", "", "", "simulated losses after which the run does not end", "not simulated", func(r *WhatIf) table.I64 { return r.Unfinished }),
)

// Rows are the rows of table whatif: one a cost, or one without.
func (o *Outcome) Rows() []WhatIf {
	row := WhatIf{
		App: o.App, Policy: o.Policy, Question: o.Question, Static: o.IsStatic, UnitKind: o.UnitKind, Applies: o.Applies, Assumption: table.NonEmpty(o.Assumption),
		MeanMs: rounded(o.MeanMs), P50Ms: o.P50Ms, P95Ms: o.P95Ms, MaxMs: o.MaxMs, MaxUnit: o.MaxUnit, MaxInstantMs: o.MaxInstantMs,
		PerRemovalMs: rounded(o.MeanMs), PerRunMs: rounded(o.PerRunMs), SdPerRunMs: rounded(o.SdPerRunMs), DifferenceMs: rounded(o.DifferenceMs),
		DelayMs: o.DelayMs, BreakEvenRate: o.BreakEvenRate, Why: table.NonEmpty(o.Why), MeanLowMs: rounded(o.MeanLowMs), InFlightMs: rounded(o.InFlightMs),
		Units: o.Units, LifeMs: o.LifeMs, PerRateMs: rounded(o.PerRate), Price: o.Price, SdPrice: o.SdPrice, Checked: table.NonEmpty(o.Checked),
		SlowerMs: o.SlowerMs, Unfinished: o.UnfinishedRuns,
	}
	if len(o.Costs) == 0 {
		return []WhatIf{row}
	}
	rows := make([]WhatIf, len(o.Costs))
	for i, c := range o.Costs {
		rows[i] = row
		rows[i].CostKind, rows[i].CostValue, rows[i].CostUnit = table.Some(c.Kind), table.Some(c.Value), table.Some(c.Unit)
	}
	return rows
}

// rounded is a figure to the whole ms.
func rounded(v table.Opt[float64]) table.I64 {
	if !v.OK {
		return table.I64{}
	}
	if v.V < 0 {
		return table.Some(-int64(-v.V + 0.5))
	}
	return table.Some(int64(v.V + 0.5))
}
