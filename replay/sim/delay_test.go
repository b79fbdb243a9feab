package sim

import "testing"

// The recorded loss of a run that was simulated comes out as what it cost.
func TestDelays(t *testing.T) {
	run := wide(400, 5, 4)
	s := New(run)
	base := s.Simulate(&Options{}).MakespanMs
	run.Removals = []Removal{
		{GoneMs: base / 2, NoticeMs: base / 2, DetectMs: base/2 + 100, Machine: 1, Workers: []int32{2, 3}},
		{GoneMs: 2 * base, NoticeMs: 2 * base, DetectMs: 2*base + 100, Machine: 2, Workers: []int32{4, 5}},
	}
	for i := range run.Workers {
		run.Workers[i].ReplacedBy = -1
	}
	each, all := Delays(run)
	if len(each) != 2 || each[0].Ms <= 0 || each[1] != (Delay{0, true}) || all != each[0] {
		t.Errorf("delays %v, all %v", each, all)
	}
}

// recorded makes a run look as if a log had told what is simulated with a seed.
func recorded(run *Run, seed uint64) *Run {
	res := New(run).Simulate(&Options{Trace: true, Seed: seed})
	run.RecordedMs = res.MakespanMs
	run.Jobs[0].Recorded = [2]int64{0, res.MakespanMs}
	for _, x := range res.Tasks {
		run.Attempts = append(run.Attempts, Attempt{Task: x.Task, Stage: x.Stage, Worker: x.Worker, Slot: x.Slot, StartMs: x.StartMs, EndMs: x.EndMs, Status: "success"})
	}
	for _, x := range res.Steps {
		switch x.Kind {
		case StepStage:
			run.Rounds = append(run.Rounds, Round{Stage: x.A, Tasks: x.D, SubmitMs: x.AtMs})
		case StepStageEnd:
			run.Rounds[x.A].EndMs = x.AtMs
		}
	}
	for i := range run.Workers {
		run.Workers[i].ReplacedBy = -1
	}
	return run
}

// A loss at the end hurts more than one at the start: more has been made that
// must be made again.
func TestDelayCurve(t *testing.T) {
	run := recorded(wide(400, 5, 4), 3)
	// Resumed at any moment without a loss, the run ends as it did.
	for _, share := range []int64{10, 37, 50, 81, 99} {
		at := run.RecordedMs * share / 100
		if got := New(run).Simulate(&Options{FromMs: at}).MakespanMs; got < run.RecordedMs-1000 || got > run.RecordedMs+1000 {
			t.Errorf("resumed at %d %%: ends at %d, recorded %d", share, got, run.RecordedMs)
		}
	}
	// A log notes an end a little after it has given the slot to the next piece.
	for i := range run.Attempts {
		run.Attempts[i].EndMs += 3
	}
	for at := run.RecordedMs / 97; at < run.RecordedMs; at += run.RecordedMs / 97 {
		if r := New(run).Simulate(&Options{FromMs: at}); r.Outcome != Done || r.MakespanMs < run.RecordedMs-1000 || r.MakespanMs > run.RecordedMs+30_000 {
			t.Fatalf("resumed at %d: %s after %d, recorded %d", at, r.Outcome, r.MakespanMs, run.RecordedMs)
		}
	}
	for i := range run.Attempts {
		run.Attempts[i].EndMs -= 3
	}
	curve := DelayCurve(run, true, 10, -1)
	if len(curve) != 10 || curve[0].Units != 4 {
		t.Fatalf("%+v", curve)
	}
	if first, last := curve[0].MeanMs, curve[8].MeanMs; first <= 0 || last <= first {
		t.Errorf("delay %d ms early, %d ms late", first, last)
	}
}
