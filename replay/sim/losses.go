package sim

import (
	"cmp"
	"math"
	"slices"
)

// Lifetime is how long machines live.
type Lifetime uint8

const (
	// Exponential: a machine is as likely to go in any hour.
	Exponential Lifetime = iota
	// Bathtub: early and late in a life of 24 hours a machine is likelier to go,
	// as providers' short-lived machines are; over the 24 hours as many go as
	// with Exponential.
	Bathtub
)

// Losses are removals that are drawn. The draws depend on the seed, the machine
// and how often it has been replaced, and on nothing else: two policies that
// are simulated with one seed meet the same losses.
type Losses struct {
	RatePerHour float64 // removals a machine-hour; 0: none
	Lifetime    Lifetime
	// Share of the machines that go together (0: each by itself), within
	// WindowMs. The rate of each machine stays the same.
	Share    float64
	WindowMs int64
	NoticeMs int64
	// DetectMs is when the engine notices; 0: as its rules say, for a closed
	// connection or for a silent end.
	DetectMs int64
	Silent   bool
}

// group is how many machines go together.
func (l *Losses) group(machines int) int {
	return max(1, int(math.Ceil(l.Share*float64(machines)-1e-9)))
}

// lifeMs draws a machine's life.
func (l *Losses) lifeMs(seed uint64, machine, incarnation int32, group int) int64 {
	rate := l.RatePerHour / float64(group)
	if rate <= 0 {
		return Never
	}
	u := draw(seed, uint64(uint32(machine))<<32|uint64(uint32(incarnation)))
	h := -math.Log1p(-u) / rate // hours at a rate of one
	if l.Lifetime == Bathtub {
		h = bathtubHours(h)
	}
	ms := h * 3_600_000
	if ms >= float64(maxMs) {
		return Never
	}
	return max(1, int64(ms))
}

// draw is a number in [0, 1) that belongs to a seed and a thing.
func draw(seed, thing uint64) float64 {
	return float64(mix(mix(seed+0x632be59bd9b4e019)^mix(thing+0x9e3779b97f4a7c15))>>11) / (1 << 53)
}

// The bathtub: of all that happens in a day, a share within about the first
// hour, a share evenly, and the rest in the last hour or so. The shape is that
// of measured lives of short-lived cloud machines.
const (
	bathDayHours   = 24.0
	bathEarly      = 0.35
	bathEven       = 0.15
	bathLate       = 0.50
	bathEarlyHours = 1.0
	bathLateHours  = 0.8
)

// bathtub is the hazard summed up to an age, in hours of a hazard of one.
func bathtub(age float64) float64 {
	early := bathEarly * (1 - math.Exp(-age/bathEarlyHours)) / (1 - math.Exp(-bathDayHours/bathEarlyHours))
	even := bathEven * age / bathDayHours
	late := bathLate * (math.Exp((age-bathDayHours)/bathLateHours) - math.Exp(-bathDayHours/bathLateHours)) / (1 - math.Exp(-bathDayHours/bathLateHours))
	return bathDayHours * (early + even + late)
}

// bathtubHours is the age at which the hazard has summed up to h.
func bathtubHours(h float64) float64 {
	low, high := 0.0, bathDayHours
	for bathtub(high) < h && high < 200 {
		high += 1
	}
	for range 60 {
		if mid := (low + high) / 2; bathtub(mid) < h {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// machineState is a machine in a simulated run.
type machineState struct {
	incarnation int32 // how often it was replaced
	alive       bool
	held        int32 // what its service keeps, see Sim.head
}

// live starts a machine's life and draws its end. A notice comes before the
// end: with a life shorter than the notice, the machine lives that long.
func (s *Sim) live(m int32) {
	x := &s.machines[m]
	x.alive = true
	l := &s.opt.Losses
	if l.RatePerHour <= 0 || m == s.run.Coordinator || s.isSafe(m) {
		return
	}
	if end := l.lifeMs(s.opt.Seed, m, x.incarnation, s.group); end < Never {
		s.at(s.now+max(0, end-l.NoticeMs), event{evLifeEnd, m, x.incarnation})
	}
}

// isSafe tells whether a machine is one that cannot be withdrawn.
func (s *Sim) isSafe(m int32) bool { return int(m) < len(s.opt.Safe) && s.opt.Safe[m] }

// lifeEnd withdraws a machine after its notice, and with it the others of its
// group: those that come first in an order that belongs to the seed.
func (s *Sim) lifeEnd(m, incarnation int32) {
	if x := &s.machines[m]; !x.alive || x.incarnation != incarnation {
		return
	}
	s.withdraw(m, 0)
	if s.group < 2 {
		return
	}
	type other struct {
		m  int32
		at float64
	}
	var others []other
	for i := range s.machines {
		if k := int32(i); k != m && k != s.run.Coordinator && !s.isSafe(k) && s.machines[k].alive {
			pair := uint64(uint32(m))<<42 ^ uint64(uint32(incarnation))<<21 ^ uint64(uint32(k)) | 1<<63
			others = append(others, other{k, draw(s.opt.Seed, pair)})
		}
	}
	slices.SortFunc(others, func(x, y other) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.m, y.m)) })
	for i, o := range others[:min(s.group-1, len(others))] {
		late := draw(s.opt.Seed, uint64(uint32(o.m))|uint64(i)<<32|1<<62)
		s.withdraw(o.m, int64(late*float64(s.opt.Losses.WindowMs)))
	}
}

// withdraw plans the removal of a machine: noticed after a while, gone after
// the notice.
func (s *Sim) withdraw(m int32, after int64) {
	l := &s.opt.Losses
	r := Removal{NoticeMs: s.now + after, GoneMs: s.now + after + l.NoticeMs, Machine: m, Silent: l.Silent}
	switch {
	case l.DetectMs > 0:
		r.DetectMs = r.GoneMs + l.DetectMs
	case l.Silent:
		r.DetectMs = r.GoneMs + s.run.Rules.SilentDetectMs()
	default:
		r.DetectMs = r.GoneMs + s.run.Rules.DetectMs
	}
	s.removals = append(s.removals, r)
	s.plan(int32(len(s.removals) - 1))
}
