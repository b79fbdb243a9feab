package plots

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"
)

// Tone is a colour by its meaning. It is a color.Color (its form on light
// paper), and the SVG canvas writes it as a class, whose colour follows the
// reader's light or dark setting.
type Tone uint8

// The tones. What they mean is the same in every figure.
const (
	Paper       Tone = iota // ground of the page
	Ink                     // text and axes that must be read
	Muted                   // text and axes that may be read
	Grid                    // lines of the grid
	Void                    // a time in which a unit did not exist
	InFlight                // work that runs when the unit is lost
	Owed                    // finished, still to be read by somebody
	Climb                   // finished and read, but below something owed
	Cached                  // cached blocks
	FirstRun                // a piece's first run
	Rerun                   // a piece that runs again
	Failed                  // a round or job that failed
	Removal                 // a recorded removal
	Reported                // progress as the engine shows it
	Safe                    // progress that no single removal can undo
	AtRisk                  // what lies between the two
	Machine                 // figures about machines
	Worker                  // figures about workers
	Busy                    // a worker runs tasks
	IdleOwing               // it is idle, but holds what somebody needs
	IdleCaching             // it is idle, but holds cached blocks
	Free                    // it could be released
	Done                    // bytes that nobody will read again
	Hatched                 // lines across a time in which a slot did not exist
	Heat0                   // first step of the heat map's scale: hardly anything
	tones       = Heat0 + HeatSteps
)

// HeatSteps is how many colours the scale of a heat map has.
const HeatSteps = 9

// toneValue is what a tone is called in classes and how it looks.
type toneValue struct {
	name        string
	light, dark string
}

// name is what a tone is called in classes.
func (t Tone) name() string { return t.value().name }

// value looks a tone up. The four parts of a loss and the scale differ in
// lightness as well as in hue, so that they can be told apart in grey print
// and by readers who see fewer colours.
func (t Tone) value() toneValue {
	if t >= Heat0 {
		return heatTone(int(t - Heat0))
	}
	return [...]toneValue{
		Paper:       {"paper", "#ffffff", "#14171c"},
		Ink:         {"ink", "#1b1f24", "#e6e9ee"},
		Muted:       {"muted", "#59636e", "#9aa4b1"},
		Grid:        {"grid", "#e3e7ec", "#2b313a"},
		Void:        {"void", "#f3f4f6", "#1c2027"},
		InFlight:    {"inflight", "#b9c3ce", "#7f8b99"},
		Owed:        {"owed", "#f0a202", "#f5b83d"},
		Climb:       {"climb", "#b03a0b", "#e2602a"},
		Cached:      {"cached", "#4aa3df", "#63b4ea"},
		FirstRun:    {"firstrun", "#8fa6bd", "#6f8399"},
		Rerun:       {"rerun", "#b5179e", "#e261cf"},
		Failed:      {"failed", "#5b1a18", "#ff9b8f"},
		Removal:     {"removal", "#c1121f", "#ff6b6b"},
		Reported:    {"reported", "#59636e", "#aab4c0"},
		Safe:        {"safe", "#0a7d5a", "#2fbf8f"},
		AtRisk:      {"atrisk", "#f6d58e", "#6d5518"},
		Machine:     {"machine", "#b03a0b", "#e2602a"},
		Worker:      {"worker", "#1f6fb2", "#63b4ea"},
		Busy:        {"busy", "#8fa6bd", "#6f8399"},
		IdleOwing:   {"idleowing", "#f0a202", "#f5b83d"},
		IdleCaching: {"idlecaching", "#4aa3df", "#63b4ea"},
		Free:        {"free", "#0a7d5a", "#2fbf8f"},
		Done:        {"done", "#d5dae0", "#474f5a"},
		Hatched:     {"hatched", "#c3cad2", "#434b56"},
	}[t]
}

// heatTone is a step of the scale: from pale to dark on light paper, and from
// dim to bright on dark, so that the worst stands out on both.
func heatTone(step int) toneValue {
	light := [HeatSteps]string{"#fdf3cf", "#fde39a", "#fcc75c", "#f8a02c", "#ec7a1c", "#d5551b", "#b2361f", "#852024", "#4f1024"}
	dark := [HeatSteps]string{"#2a2030", "#46213f", "#6b2346", "#932f42", "#b94436", "#d96128", "#ef8a25", "#f9b848", "#fdf0a8"}
	return toneValue{fmt.Sprintf("heat%d", step), light[step], dark[step]}
}

// RGBA makes a tone a color.Color.
func (t Tone) RGBA() (r, g, b, a uint32) {
	rgb, err := strconv.ParseUint(t.value().light[1:], 16, 24)
	if err != nil {
		panic("plots: a tone is no colour: " + err.Error())
	}
	return color.RGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 0xff}.RGBA()
}

// CSS is the style that figures inside a page need, and the page may use
// itself: a variable for each tone, set for light and dark, and the classes of
// the drawings.
func CSS() string { return css(":root") }

func css(scope string) string {
	var light, dark, classes strings.Builder
	for t := range tones {
		v := t.value()
		fmt.Fprintf(&light, "--%s:%s;", v.name, v.light)
		fmt.Fprintf(&dark, "--%s:%s;", v.name, v.dark)
		fmt.Fprintf(&classes, ".f-%s{fill:var(--%s)}.s-%s{stroke:var(--%s);fill:none}", v.name, v.name, v.name, v.name)
	}
	return scope + "{" + light.String() + "color-scheme:light dark}" +
		"@media screen and (prefers-color-scheme:dark){" + scope + "{" + dark.String() + "}}" +
		classes.String() +
		"svg.plot path[class^=f-]{shape-rendering:crispEdges}.h{fill:transparent}.h:hover{fill:var(--ink);fill-opacity:.12}.cell:hover{stroke:var(--ink);stroke-width:1.5}" +
		"svg.plot text{font-family:\"Liberation Sans\",Arial,Helvetica,sans-serif}"
}
