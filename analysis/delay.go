package analysis

import (
	"fmt"

	"tracereplay/internal/human"
)

// Simulation is what the run replayed in time says.
type Simulation struct {
	MakespanMs int64  // replayed as recorded
	Reason     string // why it replays badly, or may; "" when nothing speaks against it
	Delays     []DelayPoint
	Kind       string // of the units whose loss was simulated
	Units      int64
	Tried      int64  // of these, at each instant
	Resumed    bool   // each instant starts from the log's own state
	Empty      string // why there are no Delays
}

// DelayPoint is how much later the run ends when a unit is lost at an instant,
// over the units that are there.
type DelayPoint struct {
	AtMs                            int64
	Units                           int64
	LowMs, MedianMs, HighMs, MeanMs int64
	RecomputeMs                     int64 // in the mean
	Unfinished                      int64 // losses after which the run does not end
}

// DelayCurve is how late a loss makes the run, over time.
type DelayCurve struct {
	Axis       Axis
	Simulation Simulation
	Worst      DelayPoint // the one with the largest mean
	Marks      []Mark
	Empty      string
}

func delayCurve(in *Inputs) DelayCurve {
	d := DelayCurve{Axis: axis(in), Marks: marks(in)}
	if in.Simulation == nil {
		d.Empty = "The run was not simulated."
		return d
	}
	d.Simulation, d.Empty = *in.Simulation, in.Simulation.Empty
	for _, p := range d.Simulation.Delays {
		if p.MeanMs > d.Worst.MeanMs {
			d.Worst = p
		}
	}
	if d.Empty == "" && len(d.Simulation.Delays) == 0 {
		d.Empty = "There was no unit to lose."
	}
	return d
}

// delayFigures name what the simulation says.
func delayFigures(fs *Figures, r *Report) {
	in := r.In
	fs.Add("fidelity_error", InShare, known(in.Fidelity.V, in.Fidelity.OK))
	if in.Simulation == nil {
		return
	}
	s := in.Simulation
	fs.Add("fidelity_reason", InText, known(s.Reason, s.Reason != ""))
	fs.Add("simulated_makespan_ms", InMs, known(s.MakespanMs, in.Fidelity.OK))
	if m := r.Makespans; m.Empty == "" {
		fs.Add("makespan_runs", InCount, m.Runs)
		fs.Add("makespan_without_loss_ms", InMs, m.QuietMs)
		fs.Add("makespan_recorded_p50_ms", InMs, m.Policies[0].P50)
		fs.Add("makespan_recorded_p90_ms", InMs, m.Policies[0].P90)
		fs.Add("makespan_recorded_p99_ms", InMs, m.Policies[0].P99)
	}
	if w := r.Delay.Worst; r.Delay.Empty == "" && w.MeanMs > 0 {
		p := "delay_worst_" + s.Kind + "_"
		fs.Add(p+"instant_ms", InInstant, w.AtMs)
		fs.Add(p+"mean_ms", InMs, w.MeanMs)
		fs.Add(p+"low_ms", InMs, w.LowMs)
		fs.Add(p+"high_ms", InMs, w.HighMs)
	}
}

// fidelityWords say how well the run replays.
func fidelityWords(in *Inputs) string {
	s := in.Simulation
	switch {
	case s == nil || !in.Fidelity.OK && s.Reason == "":
		return "No simulation was made: fidelity_error in summary.json is null."
	case !in.Fidelity.OK:
		return "No simulation was made: " + human.Cut(s.Reason, 300) + "."
	}
	text := fmt.Sprintf("Delays are simulated. Replayed as recorded, the run takes %s, %+.1f %% against the log", human.Duration(s.MakespanMs), 100*in.Fidelity.V)
	if s.Reason != "" {
		text += ": " + human.Cut(s.Reason, 300)
	}
	return text + "."
}
