package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Policy is a policy with its parameters, all in base units: times in ms, sizes
// in bytes.
type Policy struct {
	Name   string
	Params map[string]string
}

// number is a parameter, or d when it is not set.
func (p *Policy) number(key string, d float64) (float64, error) {
	text, ok := p.Params[key]
	if !ok {
		return d, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) {
		return 0, fmt.Errorf("%s=%s is no number", key, text)
	}
	return x, nil
}

func (p *Policy) word(key, d string) string {
	if text, ok := p.Params[key]; ok {
		return text
	}
	return d
}

// policyParams are the policies that are laid out in time, with the parameters
// that they take; the first one is the one that NAME=VALUE sets.
func policyParams() map[string][]string {
	return map[string][]string{
		"recorded": {}, "undisturbed": {"releases"}, "spread": {"by"},
		"drain":            {"notice", "form", "unit"},
		"move-output":      {"notice", "bandwidth", "unit"},
		"detached-shuffle": {"place", "servers", "memory", "slowdown"},
		"durable":          {"every", "stages", "bandwidth"},
		"replicate":        {"n"},
		"on-demand":        {"share", "outputs"},
		"smaller-workers":  {"f", "overhead"},
		"smaller-machines": {"f", "overhead"},
		"shorter-rounds":   {"k", "lever", "whole", "overhead"},
		"idle-release":     {"after", "tracking", "unit"},
		"redo":             {"rule"},
	}
}

// PolicyParam is the parameter that NAME=VALUE sets, and whether the policy is
// known here.
func PolicyParam(name string) (first string, known bool) {
	list, ok := policyParams()[name]
	if len(list) > 0 {
		first = list[0]
	}
	return first, ok
}

// Apply makes the run and the options that a policy asks for. The run that is
// handed in is not changed.
func (p *Policy) Apply(run *Run, opt *Options) (*Run, error) {
	list, ok := policyParams()[p.Name]
	if !ok {
		return nil, errors.New("the simulator does not know it")
	}
	for key := range p.Params {
		if !slices.Contains(list, key) {
			return nil, fmt.Errorf("it has no parameter %s", key)
		}
	}
	switch p.Name {
	case "recorded", "spread": // places are drawn, which is as even as it gets
		return run, nil
	case "undisturbed":
		opt.Cluster = Undisturbed
		return run, nil
	case "drain", "move-output":
		return run, p.notice(opt)
	case "detached-shuffle":
		return p.detach(run)
	case "durable":
		return p.durable(run)
	case "replicate":
		return p.replicate(run)
	case "on-demand":
		return p.onDemand(run, opt)
	case "smaller-workers", "smaller-machines":
		return p.smaller(run, opt)
	case "shorter-rounds":
		return p.shorter(run)
	case "idle-release":
		return run, p.idle(opt)
	case "redo":
		if rule := p.word("rule", "share"); rule != "share" {
			return nil, fmt.Errorf("rule %s is not laid out in time", rule)
		}
		return run, nil
	}
	panic("sim: policy " + p.Name)
}

// notice keeps new pieces off a machine that will go, and with move-output
// copies needed outputs off it.
func (p *Policy) notice(opt *Options) error {
	if p.word("form", "withdrawal") != "withdrawal" {
		return errors.New("form release is not laid out in time: what the log gave back it gave back")
	}
	ms, err := p.number("notice", 120_000)
	if err != nil {
		return err
	}
	opt.Drain = true
	if opt.Losses.NoticeMs == 0 {
		opt.Losses.NoticeMs = int64(ms)
	}
	opt.Removals = slices.Clone(opt.Removals)
	for i := range opt.Removals {
		if r := &opt.Removals[i]; r.NoticeMs >= r.GoneMs {
			r.NoticeMs = max(0, r.GoneMs-int64(ms))
		}
	}
	if p.Name == "move-output" {
		opt.MoveBytesPerS, err = p.number("bandwidth", 100<<20)
	}
	return err
}

// copyRun is a shallow copy whose data sets can be changed.
func copyRun(run *Run) *Run {
	c := *run
	c.Datasets = slices.Clone(run.Datasets)
	c.Stages = slices.Clone(run.Stages)
	return &c
}

// keeps is what keeps a shuffle's outputs without a policy.
func (r *Run) keeps(d *Dataset) []Keep {
	switch {
	case len(d.Keep) > 0:
		return d.Keep
	case r.Rules.Remote:
		return []Keep{{OnStore, 0}}
	case r.Rules.Service:
		return []Keep{{OnMachine, 0}}
	}
	return []Keep{{OnWorker, 0}}
}

func (p *Policy) detach(run *Run) (*Run, error) {
	keeper := OnMachine
	if p.word("place", "node") == "remote" {
		keeper = OnStore
	}
	slow, err := p.number("slowdown", 1)
	if err != nil {
		return nil, err
	}
	c := copyRun(run)
	for i := range c.Datasets {
		if !c.Datasets[i].Cache {
			c.Datasets[i].Keep = []Keep{{keeper, 0}}
		}
	}
	if keeper == OnStore && slow != 1 {
		c.DurMs = slices.Clone(run.DurMs)
		for i := range c.Stages {
			s := &c.Stages[i]
			reads := slices.ContainsFunc(s.Reads, func(d int32) bool { return !c.Datasets[d].Cache })
			for t := s.First; t < s.Last && (reads || s.Makes >= 0); t++ {
				c.DurMs[t] = int32(float64(c.DurMs[t]) * slow)
			}
		}
	}
	return c, nil
}

func (p *Policy) durable(run *Run) (*Run, error) {
	if p.word("every", "") == "never" {
		return run, nil
	}
	every, err := p.number("every", 600_000)
	if err != nil {
		return nil, err
	}
	only := map[string]bool{}
	for _, id := range splitPlus(p.word("stages", "")) {
		only[id] = true
	}
	c := copyRun(run)
	for i := range c.Datasets {
		d := &c.Datasets[i]
		if d.Cache || d.Maker < 0 || len(only) > 0 && !only[fmt.Sprint(c.Stages[d.Maker].ID)] {
			continue
		}
		d.Keep = append(slices.Clone(run.keeps(d)), Keep{OnStore, int64(every)})
	}
	return c, nil
}

func splitPlus(text string) []string {
	var out []string
	for start, i := 0, 0; i <= len(text); i++ {
		if i == len(text) || text[i] == '+' {
			if i > start {
				out = append(out, text[start:i])
			}
			start = i + 1
		}
	}
	return out
}

func (p *Policy) replicate(run *Run) (*Run, error) {
	n, err := p.number("n", 2)
	if err != nil || n < 1 || n != math.Trunc(n) {
		return nil, errors.Join(err, errors.New("n is a whole number from 1"))
	}
	c := copyRun(run)
	for i := range c.Datasets {
		d := &c.Datasets[i]
		if d.Cache {
			continue
		}
		keep := slices.Clone(run.keeps(d))
		for range int(n) - 1 {
			keep = append(keep, Keep{OnOther, 0})
		}
		d.Keep = keep
	}
	return c, nil
}

// onDemand takes a share of the machines, the first ones, out of the draw.
func (p *Policy) onDemand(run *Run, opt *Options) (*Run, error) {
	share, err := p.number("share", 0.25)
	if err != nil || share < 0 || share > 1 {
		return nil, errors.Join(err, errors.New("share is from 0 to 1"))
	}
	if p.word("outputs", "as-run") != "as-run" {
		return nil, errors.New("only outputs=as-run is laid out in time")
	}
	n := int(math.Ceil(share*float64(len(run.Machines)) - 1e-9))
	opt.Safe = make([]bool, len(run.Machines))
	for m := range n {
		opt.Safe[m] = true
	}
	opt.Removals = slices.DeleteFunc(slices.Clone(opt.Removals), func(r Removal) bool { return r.Machine >= 0 && opt.Safe[r.Machine] })
	return run, nil
}

// smaller splits workers (or machines) into f, or joins 1/f of them.
func (p *Policy) smaller(run *Run, opt *Options) (*Run, error) {
	f, err := p.number("f", 2)
	if err != nil || f <= 0 {
		return nil, errors.Join(err, errors.New("f is above 0"))
	}
	if f < 1 {
		return nil, errors.New("f below 1 is not laid out in time")
	}
	n := int32(f)
	if float64(n) != f {
		return nil, errors.New("f is a whole number")
	}
	c := *run
	c.Attempts, c.Rounds = nil, nil
	c.Workers, c.Removals = nil, slices.Clone(run.Removals)
	heirs := make([][]int32, len(run.Workers))
	if p.Name == "smaller-machines" {
		c.Machines = nil
		for _, m := range run.Machines {
			for k := range n {
				c.Machines = append(c.Machines, fmt.Sprintf("%s.%d", m, k+1))
			}
		}
	}
	onMachine := map[int32]int32{}
	for _, w := range run.Workers {
		onMachine[w.Machine]++
	}
	seen := map[int32]int32{}
	for i, w := range run.Workers {
		parts := n
		if p.Name == "smaller-machines" && onMachine[w.Machine] >= n {
			parts = 1
		}
		parts = min(parts, max(w.Slots, 1))
		for k := range parts {
			x := w
			x.Slots = w.Slots/parts + b2i(k < w.Slots%parts)
			x.ReplacedBy = -1
			if parts > 1 {
				x.Name = fmt.Sprintf("%s.%d", w.Name, k+1)
			}
			if p.Name == "smaller-machines" {
				x.Machine = w.Machine*n + seen[w.Machine]%n
				seen[w.Machine]++
			}
			heirs[i] = append(heirs[i], int32(len(c.Workers)))
			c.Workers = append(c.Workers, x)
		}
	}
	inherit := func(list []Removal) []Removal {
		list = slices.Clone(list)
		for i := range list {
			r := &list[i]
			switch {
			case r.Machine >= 0 && p.Name == "smaller-machines": // one of the machines that it became
				r.Machine *= n
				r.Workers, r.DetectEach = nil, nil
			case r.Machine >= 0:
				r.Workers, r.DetectEach = nil, nil
			case len(r.Workers) > 0: // one of the workers that it became
				r.Workers, r.DetectEach = heirs[r.Workers[0]][:1], nil
			}
		}
		return list
	}
	c.Removals, opt.Removals = inherit(run.Removals), inherit(opt.Removals)
	if run.Coordinator >= 0 && p.Name == "smaller-machines" {
		c.Coordinator *= n
	}
	return &c, nil
}

func b2i(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// shorter cuts the run into k runs, one after the other, each over one k-th of
// every stage's pieces: what one of them has made is landed when it ends. Each
// further run adds what the run spent with no task running, times overhead.
func (p *Policy) shorter(run *Run) (*Run, error) {
	kf, err := p.number("k", 4)
	over, err2 := p.number("overhead", 1)
	if err := errors.Join(err, err2); err != nil || kf < 1 || kf != math.Trunc(kf) {
		return nil, errors.Join(err, errors.New("k is a whole number from 1"))
	}
	if p.word("lever", "both") == "landing" {
		return nil, errors.New("lever landing alone is not laid out in time")
	}
	k := int32(kf)
	if k == 1 {
		return run, nil
	}
	c := *run
	c.Datasets, c.Stages, c.Jobs, c.Attempts, c.Rounds = nil, nil, nil, nil, nil
	c.DurMs, c.PreMs, c.Flags, c.Part, c.Source = nil, nil, nil, nil, nil
	c.Fails, c.Copies, c.Again, c.StageOf = map[int32][]Fail{}, map[int32]Copy{}, map[int32]int32{}, nil
	base := int32(0)
	for i := range k {
		base = c.addSlice(run, i, k, base, over)
	}
	return &c, nil
}

// addSlice adds the run over the i-th of k parts of every stage.
func (r *Run) addSlice(run *Run, i, k, base int32, over float64) int32 {
	datasets, stages, jobs := int32(len(r.Datasets)), int32(len(r.Stages)), int32(len(r.Jobs))
	shift := func(list []int32, by int32) []int32 {
		out := slices.Clone(list)
		for n := range out {
			out[n] += by
		}
		return out
	}
	for d := range run.Datasets {
		x := run.Datasets[d]
		of := x.Pieces
		x.Pieces, x.Base, x.Inputs = sliceOf(of, i, k), base, shift(x.Inputs, datasets)
		if x.Maker >= 0 {
			x.Maker += stages
		}
		if x.CostMs != nil {
			x.CostMs = every(x.CostMs, i, k)
		}
		if x.Bytes != nil {
			x.Bytes = every(x.Bytes, i, k)
		}
		base += x.Pieces
		r.Datasets = append(r.Datasets, x)
	}
	for s := range run.Stages {
		x := run.Stages[s]
		first := int32(len(r.DurMs))
		for t := x.First + i; t < x.Last; t += k {
			r.copyTask(run, t, (t-x.First)/k)
		}
		x.First, x.Last = first, int32(len(r.DurMs))
		x.Width = max(x.Last-x.First, 1)
		x.Reads = shift(x.Reads, datasets)
		if x.Makes >= 0 {
			x.Makes += datasets
		}
		r.Stages = append(r.Stages, x)
	}
	for j := range run.Jobs {
		x := run.Jobs[j]
		if x.Final >= 0 {
			x.Final += stages
		}
		x.After = shift(x.After, jobs)
		if i > 0 && len(x.After) == 0 { // after all of the run before
			x.GapMs += int64(over * float64(run.startGapMs()))
			for n := range int32(len(run.Jobs)) {
				x.After = append(x.After, jobs-1-n)
			}
		}
		r.Jobs = append(r.Jobs, x)
	}
	return base
}

// startGapMs is what the run spent before its first piece and between jobs, with
// nothing running: what starting over costs again.
func (r *Run) startGapMs() int64 {
	gap := int64(0)
	for j := range r.Jobs {
		gap += r.Jobs[j].GapMs
	}
	return gap / int64(max(len(r.Jobs), 1))
}

func sliceOf(n, i, k int32) int32 { return (n - i + k - 1) / k }

func every[T any](list []T, i, k int32) []T {
	var out []T
	for n := int(i); n < len(list); n += int(k) {
		out = append(out, list[n])
	}
	return out
}

func (r *Run) copyTask(run *Run, t, part int32) {
	n := int32(len(r.DurMs))
	r.DurMs, r.PreMs, r.Flags = append(r.DurMs, run.DurMs[t]), append(r.PreMs, run.PreMs[t]), append(r.Flags, run.Flags[t])
	r.Part, r.Source = append(r.Part, part), append(r.Source, run.Source[t])
	if f, ok := run.Fails[t]; ok {
		r.Fails[n] = f
	}
	if c, ok := run.Copies[t]; ok {
		r.Copies[n] = c
	}
	if a, ok := run.Again[t]; ok {
		r.Again[n] = a
	}
}

func (p *Policy) idle(opt *Options) error {
	if p.word("unit", "worker") != "worker" {
		return errors.New("only unit=worker is laid out in time")
	}
	after, err := p.number("after", 60_000)
	opt.IdleMs, opt.IdleTracks = max(1, int64(after)), p.word("tracking", "no") == "yes"
	return err
}
