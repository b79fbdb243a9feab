package streaming

import (
	"fmt"

	"tracereplay/internal/human"
	"tracereplay/replay/result"
)

// DelayText says what each recorded loss did to the batch of a query that it
// hit, one sentence or two each.
func DelayText(all []result.StreamDelay, query string, clock human.Clock) []string {
	var out []string
	for i := range all {
		if all[i].Query == query {
			out = append(out, delaySentence(&all[i], clock))
		}
	}
	return out
}

func delaySentence(d *result.StreamDelay, clock human.Clock) string {
	where := "before batch"
	if d.IsWithin {
		where = "within batch"
	}
	s := fmt.Sprintf("[%d] %s: %s %s was lost %s %d", d.Removal, clock.Moment(d.GoneMs), human.Clean(d.UnitKind), human.Clean(d.Unit), where, d.Batch)
	switch {
	case d.TookMs.OK:
		s += ", which took " + human.Duration(d.TookMs.V)
	default:
		s += ", which was never reported as done"
	}
	if d.UsualMs.OK {
		s += fmt.Sprintf(" (%s like it: %s)", human.Counted(d.Compared, "batch", "batches"), human.Duration(d.UsualMs.V))
	}
	if !d.PredictedDelay.OK {
		return s + "; its delay is not predicted: " + why(d.Known) + "."
	}
	s += fmt.Sprintf(". From the state just before the loss it would have taken %s without it and was predicted to take %s with it: a delay of %s",
		human.Duration(d.UndisturbedMs.V), human.Duration(d.PredictedMs.V), human.Duration(d.PredictedDelay.V))
	if d.SeenDelay.OK {
		s += ", seen " + human.Duration(d.SeenDelay.V)
	}
	s += "."
	if d.StatePartitions > 0 {
		s += fmt.Sprintf(" %s of state had to be loaded again", human.Counted(d.StatePartitions, "partition", "partitions"))
		if !d.PartitionLoadMs.OK {
			s += "; how long that takes is not in the log, and nothing is added for it"
		}
		s += "."
	}
	return s + lateSentence(d)
}

func why(known string) string {
	switch known {
	case "an earlier loss":
		return "an earlier loss had left holes that are not worked out"
	case "no other batch":
		return "no undisturbed batch before it but the first of the run, which starts the code up"
	case "no jobs":
		return "the log has no jobs of it"
	}
	return human.Clean(known)
}

func lateSentence(d *result.StreamDelay) string {
	if !d.IntervalMs.OK {
		return " Batches start as soon as the one before is over, so what follows starts as much later."
	}
	s := fmt.Sprintf(" With a trigger every %s, ", human.Duration(d.IntervalMs.V))
	switch {
	case !d.PredictedLate.OK:
		s += "the query was not predicted to catch up"
	default:
		s += fmt.Sprintf("%s after it %s predicted to start late", human.Counted(d.PredictedLate.V, "batch", "batches"), plural(d.PredictedLate.V, "was", "were"))
	}
	if d.SeenLate.OK {
		return s + fmt.Sprintf("; %d did.", d.SeenLate.V)
	}
	return s + "; the run ended before it had caught up."
}
