package analysis

import (
	"fmt"
	"strings"

	"tracereplay/analysis/streaming"
	"tracereplay/internal/human"
	"tracereplay/replay/result"
)

// Verdict is what the paragraph comes to.
type Verdict string

// The verdicts.
const (
	Lost    Verdict = "loss"    // a recorded removal destroyed needed output
	Exposed Verdict = "exposed" // a removal could have
	Safe    Verdict = "safe"    // none could have
)

// Story is the paragraph in plain words.
type Story struct {
	Verdict   Verdict
	Sentences []Sentence
	Caveats   []string // what limits it, each in one sentence
}

// Sentence is text in which figures stand by their names.
type Sentence []Piece

// Piece is plain text, or the value of a figure.
type Piece struct {
	Text   string
	Figure string // name of the figure whose value Text is; "" for plain text
	Strong bool
}

// Plain is the paragraph without emphasis.
func (s Story) Plain() string {
	var b strings.Builder
	for i, sentence := range s.Sentences {
		if i > 0 {
			b.WriteByte(' ')
		}
		for _, p := range sentence {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// teller writes sentences from templates of ours. In a template {name} is the
// value of a figure and ** begins and ends emphasis. Names from logs come in as
// figures only, never as part of a template.
type teller struct {
	figures *Figures
	clock   human.Clock
	story   Story
}

func (t *teller) say(template string) {
	var s Sentence
	for i, part := range strings.Split(template, "**") {
		s = append(s, t.pieces(part, i%2 == 1)...)
	}
	t.story.Sentences = append(t.story.Sentences, s)
}

func (t *teller) pieces(template string, strong bool) []Piece {
	var out []Piece
	for template != "" {
		text, rest, found := strings.Cut(template, "{")
		if text != "" {
			out = append(out, Piece{Text: text, Strong: strong})
		}
		if !found {
			break
		}
		name, after, _ := strings.Cut(rest, "}")
		out = append(out, Piece{Text: t.figures.Get(name).Text(t.clock), Figure: name, Strong: strong})
		template = after
	}
	return out
}

func (t *teller) caveat(format string, args ...any) {
	t.story.Caveats = append(t.story.Caveats, fmt.Sprintf(format, args...))
}

// tell writes the paragraph: what was lost, what could have been, what a
// removal costs in the mean; or why nothing is at risk. A streaming log has
// sentences of its own for all but what was lost.
func tell(in *Inputs, fs *Figures, streams *streaming.Report) Story {
	t := teller{figures: fs, clock: in.Clock.Within(in.App.FromMs, in.App.ToMs)}
	losses := costliest(in.Removals)
	t.tellLosses(losses)
	switch w, ok := exposure(in); {
	case streams != nil:
		t.story.Verdict = Safe
		if ok && w.Parts.Finished() > 0 {
			t.story.Verdict = Exposed
		}
		t.tellStreams(streams)
	case !ok || in.App.Tasks == 0:
		t.story.Verdict = Safe
		t.tellNoUnits(in)
	case w.Parts.Finished() <= 0:
		t.story.Verdict = Safe
		t.tellSafe(in, w)
	default:
		t.story.Verdict = Exposed
		t.tellWorst(w)
		t.tellExpected(in)
	}
	if len(losses) > 0 {
		t.story.Verdict = Lost
	} else if len(in.Removals) > 0 {
		t.tellHarmless(in)
	}
	t.tellCaveats(in)
	return t.story
}

// exposure is the worst unit that the paragraph is about: a machine, where
// machines are known.
func exposure(in *Inputs) (Worst, bool) {
	for _, kind := range []string{Machine, Worker, Service} {
		if w, ok := worst(in.Worst, kind); ok {
			return w, true
		}
	}
	return Worst{}, false
}

func (t *teller) tellLosses(losses []result.Removal) {
	if len(losses) == 0 {
		return
	}
	r := losses[0]
	t.say("**" + title(r.UnitKind) + " {loss_unit} " + verb(r) + " at {loss_instant_ms}.**")
	held := "It held the only copy of {loss_lost_outputs} finished " + plural(r.LostOutputs, "output", "outputs")
	if r.PiecesAgain == 0 {
		t.say(held + ", of which {loss_needed_outputs} may still have been needed; none of them ran again before the log ends.")
	} else {
		s := held + ": **{loss_pieces_again} finished " + plural(r.PiecesAgain, "piece", "pieces") +
			" of work ran again, {loss_again_ms} of slot time, {loss_again_run_share} of the whole run**"
		if r.OldestLostAgeMs.OK {
			s += "; the oldest had been reported finished {loss_oldest_lost_age_ms} before the loss"
		}
		t.say(s + ".")
	}
	if n := int64(len(losses)) - 1; n > 0 {
		t.say(human.Counted(n, "further removal", "further removals") +
			" destroyed output that was still needed; in all {pieces_again} pieces ran again, {again_ms} of slot time.")
	}
}

func (t *teller) tellWorst(w Worst) {
	p := "{worst_" + w.Kind
	just := ""
	if w.MomentMs > w.AtMs {
		just = "just before "
	}
	s := "The worst moment to lose a " + w.Kind + " was " + just + p + "_moment_ms}: **losing " + named(w.Kind) + p + "_unit} would have cost " +
		p + "_recompute_ms} of slot time, " + p + "_run_share} of the whole run**; "
	s += "**" + p + "_finished_share} of that was finished work**"
	if w.OldestMs != nil {
		s += ", the oldest of it reported finished " + p + "_oldest_lost_age_ms} earlier"
	}
	if float64(w.LowMs) < w.Parts.Sum() {
		s += " (at least " + p + "_recompute_low_ms} would surely have been redone)"
	}
	t.say(s + ".")
}

func (t *teller) tellExpected(in *Inputs) {
	var parts []string
	for _, kind := range []string{Machine, Worker, Service} {
		if e, ok := expected(in.Expected, kind); ok && e.LifeMs > 0 {
			p := "{expected_" + kind
			parts = append(parts, "losing a "+kind+" costs "+p+"_recompute_ms_per_removal} of slot time in the mean ("+p+"_run_share} of the run)")
		}
	}
	if len(parts) > 0 {
		t.say("At a random moment " + strings.Join(parts, ", ") + ".")
	}
}

func (t *teller) tellHarmless(in *Inputs) {
	n := int64(len(in.Removals))
	s := "{removals} " + plural(n, "removal is", "removals are") + " recorded; " +
		plural(n, "it", "none of them") + " destroyed " + plural(n, "no output", "output") + " that was still needed"
	if ms, _ := t.figures.Get("removals_in_flight_ms").Value.(int64); ms > 0 {
		s += ", but {removals_in_flight_ms} of slot time in flight was cut off"
	}
	t.say(s + ".")
}

func (t *teller) tellNoUnits(in *Inputs) {
	switch {
	case in.App.Tasks == 0:
		t.say("**Nothing can be said of losses:** the log has no task.")
		return
	case in.App.IsLocal:
		t.say("**This job is not exposed to the loss of a worker:** it ran in local mode, where the coordinator is the only worker. Losing that ends the job, which is another subject.")
		return
	}
	t.say("**Nothing can be said of losses:** the log names no worker.")
}

func (t *teller) tellSafe(in *Inputs, w Worst) {
	t.say("**This job is not exposed:** no loss of a " + w.Kind + ", at any moment, would have destroyed finished work that was still needed.")
	t.say(whySafe(in))
	if w.Parts.InFlight > 0 {
		p := "{worst_" + w.Kind
		t.say("What is running is always lost: at most " + p + "_recompute_ms} of slot time (" + named(w.Kind) + p + "_unit} at " + p + "_moment_ms}), " +
			p + "_run_share} of the whole run.")
	}
}

// whySafe is the reason why nothing finished is at risk.
func whySafe(in *Inputs) string {
	var outputs, blocks, detached int64
	for _, s := range in.Storage {
		outputs += s.Outputs
		blocks += s.Blocks
		if s.DiesWith == Service || s.DiesWith == "never" {
			detached += s.Outputs
		}
	}
	switch {
	case outputs+blocks == 0:
		return "The reason: nothing was materialised. Each job had one round, so that no task's output waited for another task."
	case outputs > 0 && detached == outputs:
		return "The reason: outputs stand on a remote shuffle service, outside the workers and their machines."
	case detached > 0:
		return "The reason: outputs that were still needed stood outside the workers and their machines."
	default:
		return "The reason: whatever stood on one of them had been read by all who needed it."
	}
}

func (t *teller) tellCaveats(in *Inputs) {
	a := in.App
	if a.IsStreaming {
		t.caveat("The application ran streaming queries: retained state is not counted in any total here.")
	}
	if !a.IsEnded {
		t.caveat("The log has no end: what came after %s is not known.", t.clock.Moment(a.ToMs))
	}
	if a.IsCompacted {
		t.caveat("The log was compacted: finished jobs are gone from it, and with them their outputs. Totals are too low.")
	}
	switch {
	case a.UnplacedWorkers > 0 && countUnits(in.Units, Machine) == 0:
		t.caveat("The log does not tell the machines of the workers (on Kubernetes its hosts are addresses of pods), so losses of machines cannot be shown; --machines FILE tells.")
	case a.UnplacedWorkers > 0:
		t.caveat("The machine of %s is not known, so losses of machines lack them; --machines FILE tells.", human.Counted(a.UnplacedWorkers, "worker", "workers"))
	}
	if a.CoordinatorMachine != "" && hasCoordinator(in.Units) {
		t.caveat("The coordinator's machine (%s) also carried workers. It is in no mean and no worst case: losing it ends the job.", human.Cut(a.CoordinatorMachine, 80))
	}
	if n := problems(in.Problems); n > 0 {
		t.caveat("The log has %s (section 10): figures lack what could not be read.", human.Counted(n, "problem", "problems"))
	}
}

// named is the kind before a unit's name, where the name alone would be read
// as a number.
func named(kind string) string {
	if kind == Machine {
		return ""
	}
	return kind + " "
}

func hasCoordinator(units []Unit) bool {
	for _, u := range units {
		if u.Kind == Machine && u.IsCoordinator {
			return true
		}
	}
	return false
}

func problems(all []Problem) (n int64) {
	for _, p := range all {
		n += p.Count
	}
	return n
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// title is a kind of unit at the beginning of a sentence.
func title(kind string) string {
	if kind == Machine {
		return "Machine"
	}
	if kind == Service {
		return "Service"
	}
	return "Worker"
}
