package result

import "tracereplay/internal/table"

// Progress is how far the run is, by its own account and safely.
type Progress struct {
	InstantMs     int64              `col:"instant_ms"`
	FinishedMs    int64              `col:"finished_ms"`
	UsefulMs      int64              `col:"useful_ms"`
	WorstBankedMs int64              `col:"worst_banked_ms"`
	WorstUnit     table.Str          `col:"worst_unit"`
	Progress      table.Opt[float64] `col:"progress"`
	SafeProgress  table.Opt[float64] `col:"safe_progress"`
}

// Progresses declares table progress.
var Progresses = table.New[Progress](table.Meta{
	Name: "progress", Layer: layer, Grain: "one row per instant", Key: []string{"instant_ms"}, Order: []string{"instant_ms"},
	Doc: "Useful slot time is that of attempts that succeeded and repeat nothing.",
},
	table.Int("instant_ms", "ms", "", "instant", func(r *Progress) int64 { return r.InstantMs }),
	table.Int("finished_ms", "slot ms", "", "useful slot time of attempts that have ended", func(r *Progress) int64 { return r.FinishedMs }),
	table.Int("useful_ms", "slot ms", "", "useful slot time of the whole run", func(r *Progress) int64 { return r.UsefulMs }),
	table.Int("worst_banked_ms", "slot ms", "owed + climb + cached", "finished work that one removal would undo, at most", func(r *Progress) int64 { return r.WorstBankedMs }),
	table.OptText("worst_unit", "", "the unit whose removal that is", "no removal undoes any", func(r *Progress) table.Str { return r.WorstUnit }),
	table.OptFloat("progress", "1", "finished / useful", "what the engine reports as done", "nothing useful ran", func(r *Progress) table.Opt[float64] { return r.Progress }),
	table.OptFloat("safe_progress", "1", "(finished - banked) / useful", "what no single removal can undo", "nothing useful ran", func(r *Progress) table.Opt[float64] { return r.SafeProgress }),
)
