package analysis

import (
	"cmp"
	"slices"

	"tracereplay/analysis/policies"
	"tracereplay/analysis/postmortem"
	"tracereplay/analysis/streaming"
)

// Report is all that the page shows. Its figures have names, and its tables
// are the rows of the inputs.
type Report struct {
	In        *Inputs
	Figures   *Figures
	Story     Story
	Heat      HeatMap
	Banked    Banked
	Progress  ProgressCurve
	Spread    Spread
	Rounds    Rounds
	Residence Residence
	States    States
	Exposures Exposures
	Delay     DelayCurve
	Makespans Makespans
	Timeline  Timeline
	Chain     Chain
	Told      []string            // the recorded losses in words, the costliest first
	Numbers   []postmortem.Number // of the losses, with the questions that they answer
	Policies  *policies.View      // nil: none were compared
	Streaming *streaming.Report   // nil: no streaming query ran
	Width     streaming.WidthCurves
}

// MaxExposures is how many datasets the table of risks shows.
const MaxExposures = 15

// Exposures are the datasets whose output carries most risk.
type Exposures struct {
	Rows  []Exposure
	Total int
	Sum   float64 // over all of them, slot ms x hours
	Empty string
}

// States is what the workers did over time.
type States struct {
	Axis  Axis
	Steps []WorkerState
	Marks []Mark
	Empty string
}

// New makes a report.
func New(in *Inputs) *Report {
	r := &Report{
		In: in, Heat: heatMap(in), Banked: banked(in), Progress: progressCurve(in), Spread: spread(in),
		Rounds: rounds(in), Residence: residence(in), States: states(in), Exposures: exposures(in),
		Delay: delayCurve(in), Makespans: makespans(in), Timeline: timeline(in), Chain: chain(in),
	}
	r.Told, r.Numbers = told(in)
	r.Streaming, r.Width = streams(in), streaming.NewWidthCurves(in.Streaming)
	r.Policies = policies.New(in.Policies)
	r.Figures = figures(r)
	r.Story = tell(in, r.Figures, r.Streaming)
	return r
}

func exposures(in *Inputs) Exposures {
	e := Exposures{Rows: slices.Clone(in.Exposures), Total: len(in.Exposures)}
	slices.SortStableFunc(e.Rows, func(a, b Exposure) int { return cmp.Compare(b.Exposure, a.Exposure) })
	for _, x := range in.Exposures {
		e.Sum += x.Exposure
	}
	if len(e.Rows) > MaxExposures {
		e.Rows = e.Rows[:MaxExposures]
	}
	if e.Sum == 0 {
		e.Empty = "No output waited for a reader."
	}
	return e
}

func states(in *Inputs) States {
	s := States{Axis: axis(in), Steps: in.States, Marks: marks(in)}
	if len(in.States) == 0 {
		s.Empty = noUnits(in)
	}
	return s
}
