package sim

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// textRun reads a run in words, one thing a line:
//
//	worker NAME MACHINE [slots=N] [from=T]
//	stage NAME [reads=A,B] TIME...      a shuffle of that name, or the result of its job
//	cache NAME of STAGE cost=TIME       its pieces are cached; what computing one again adds
//	job NAME STAGE [after=JOB] [gap=T]
//	bytes SHUFFLE SIZE...               of its pieces
//	rules KEY=VALUE...
//
// A stage that no job names as its last one makes the shuffle of its name.
// Nothing takes time that is not said: gaps are 0, a failed fetch is noticed
// after 500 ms, a stage is submitted again after 200 ms.
type textRun struct {
	run   *Run
	names []string // of stages
	data  map[string]int32
}

func parseRun(t *testing.T, text string) *textRun {
	x := &textRun{run: &Run{App: "text", Rules: RulesFor("spark", "3.5.1", nil), AgainShare: 1, Coordinator: -1, Fails: map[int32][]Fail{}}, data: map[string]int32{}}
	finals := map[string]bool{}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		if f := strings.Fields(line); len(f) > 2 && f[0] == "job" {
			finals[f[2]] = true
		}
	}
	for _, line := range lines {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if err := x.line(f, finals); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	base := int32(0)
	for d := range x.run.Datasets {
		x.run.Datasets[d].Base = base
		base += x.run.Datasets[d].Pieces
	}
	return x
}

// options splits words into plain ones and key=value ones.
func options(words []string) (plain []string, opt map[string]string) {
	opt = map[string]string{}
	for _, w := range words {
		if k, v, ok := strings.Cut(w, "="); ok {
			opt[k] = v
		} else {
			plain = append(plain, w)
		}
	}
	return plain, opt
}

func ms(text string) int64 {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return d.Milliseconds()
}

func (x *textRun) line(f []string, finals map[string]bool) error {
	plain, opt := options(f[1:])
	switch f[0] {
	case "worker":
		m := slices.Index(x.run.Machines, plain[1])
		if m < 0 {
			m = len(x.run.Machines)
			x.run.Machines = append(x.run.Machines, plain[1])
		}
		n, err := strconv.Atoi(cmp.Or(opt["slots"], "1"))
		x.run.Workers = append(x.run.Workers, Worker{Name: plain[0], Machine: int32(m), Slots: int32(n), From: ms(opt["from"]), To: Never, Gone: Never})
		return err
	case "stage":
		return x.stage(plain, opt, finals[plain[0]])
	case "cache":
		st := int32(slices.Index(x.names, plain[2]))
		s := &x.run.Stages[st]
		d := Dataset{Cache: true, Maker: -1, Pieces: s.Tasks(), Inputs: s.Reads}
		for t := s.First; t < s.Last; t++ {
			d.CostMs = append(d.CostMs, int32(ms(opt["cost"])))
			x.run.Flags[t] |= flagComputes
		}
		id := int32(len(x.run.Datasets))
		x.run.Datasets = append(x.run.Datasets, d)
		x.data[plain[0]] = id
		s.Reads, s.Cached = []int32{id}, true
		return nil
	case "job":
		j := Job{ID: int64(len(x.run.Jobs)), Final: int32(slices.Index(x.names, plain[1])), GapMs: ms(opt["gap"])}
		if a := opt["after"]; a != "" {
			k, err := strconv.Atoi(a)
			if err != nil {
				return err
			}
			j.After = []int32{int32(k)}
		}
		x.run.Jobs = append(x.run.Jobs, j)
		return nil
	case "rules":
		return x.rules(opt)
	case "bytes":
		for _, b := range plain[1:] {
			n, err := strconv.ParseInt(b, 10, 64)
			if err != nil {
				return err
			}
			d := &x.run.Datasets[x.data[plain[0]]]
			d.Bytes = append(d.Bytes, n)
		}
		return nil
	}
	return fmt.Errorf("unknown word")
}

func (x *textRun) stage(plain []string, opt map[string]string, final bool) error {
	s := Stage{ID: int64(len(x.names)), Makes: -1, First: int32(len(x.run.DurMs)), Density: 1, Width: int32(len(plain) - 1)}
	for _, r := range strings.FieldsFunc(opt["reads"], func(r rune) bool { return r == ',' }) {
		d, ok := x.data[r]
		if !ok {
			return fmt.Errorf("no data set %s", r)
		}
		s.Reads = append(s.Reads, d)
		s.Cached = s.Cached || x.run.Datasets[d].Cache
	}
	if d := opt["density"]; d != "" {
		v, err := strconv.ParseFloat(d, 64)
		if err != nil {
			return err
		}
		s.Density = v
	}
	s.FetchMs = ms(opt["fetch"])
	for i, t := range plain[1:] {
		task := int32(len(x.run.DurMs))
		flags := uint8(0)
		tries := strings.Split(t, "+") // 1s!+2s: fails after 1 s, then succeeds
		for _, fail := range tries[:len(tries)-1] {
			x.run.Fails[task] = append(x.run.Fails[task], Fail{int32(ms(strings.TrimSuffix(fail, "!"))), true})
			flags = flagFails
		}
		x.run.DurMs = append(x.run.DurMs, int32(ms(tries[len(tries)-1])))
		x.run.PreMs = append(x.run.PreMs, 0)
		x.run.Flags = append(x.run.Flags, flags)
		x.run.Part, x.run.Source = append(x.run.Part, int32(i)), append(x.run.Source, -1)
	}
	s.Last = int32(len(x.run.DurMs))
	if !final || opt["makes"] != "" {
		s.Makes = int32(len(x.run.Datasets))
		x.data[plain[0]] = s.Makes
		x.run.Datasets = append(x.run.Datasets, Dataset{ID: s.ID, Maker: int32(len(x.names)), Pieces: s.Tasks(), Inputs: s.Reads})
	}
	x.names = append(x.names, plain[0])
	x.run.Stages = append(x.run.Stages, s)
	return nil
}

func (x *textRun) rules(opt map[string]string) error {
	r := &x.run.Rules
	for k, v := range opt {
		switch k {
		case "service":
			r.Service = v == "true"
		case "asks":
			r.AsksDriver = v == "true"
		case "retries":
			r.FetchRetries, _ = strconv.Atoi(v)
		case "wait":
			r.FetchWaitMs = ms(v)
		case "timeout":
			r.FetchTimeoutMs = ms(v)
		case "stage-failures":
			r.StageFailures, _ = strconv.Atoi(v)
		default:
			return fmt.Errorf("no rule %s", k)
		}
	}
	return nil
}

// removal reads UNIT@TIME[,detect=TIME][,silent].
func (x *textRun) removal(text string) (Removal, error) {
	parts := strings.Split(text, ",")
	unit, at, _ := strings.Cut(parts[0], "@")
	r := Removal{GoneMs: ms(at), Machine: -1}
	r.DetectMs, r.NoticeMs = r.GoneMs, r.GoneMs
	for _, p := range parts[1:] {
		if d, ok := strings.CutPrefix(p, "detect:"); ok {
			r.DetectMs = ms(d)
		}
		r.Silent = r.Silent || p == "silent"
	}
	if m := slices.Index(x.run.Machines, unit); m >= 0 {
		r.Machine = int32(m)
		return r, nil
	}
	for i, w := range x.run.Workers {
		if w.Name == unit {
			r.Workers = []int32{int32(i)}
			return r, nil
		}
	}
	return r, fmt.Errorf("no unit %s", unit)
}

// simulate runs it and lists every attempt, then what it came to.
func (x *textRun) simulate(d *datadriven.TestData) string {
	opt := &Options{InOrder: true, Trace: true, ReplaceMs: -1, Cluster: Undisturbed}
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "remove":
			for _, v := range strings.Split(strings.Join(a.Vals, ","), ";") {
				r, err := x.removal(v)
				if err != nil {
					return err.Error()
				}
				opt.Removals = append(opt.Removals, r)
			}
		case "replace":
			opt.ReplaceMs = ms(a.Vals[0])
		case "notice":
			for i := range opt.Removals {
				opt.Removals[i].NoticeMs = opt.Removals[i].GoneMs - ms(a.Vals[0])
			}
		case "policy":
			name, rest, _ := strings.Cut(strings.Join(a.Vals, ","), ":")
			p := &Policy{Name: name, Params: map[string]string{}}
			for _, kv := range strings.FieldsFunc(rest, func(r rune) bool { return r == ':' }) {
				k, v, _ := strings.Cut(kv, "=")
				if t := ms(v); t > 0 {
					v = strconv.FormatInt(t, 10)
				}
				p.Params[k] = v
			}
			run, err := p.Apply(x.run, opt)
			if err != nil {
				return err.Error() + "\n"
			}
			was := *x
			x = &was
			x.run = run
		}
	}
	res := New(x.run).Simulate(opt)
	slices.SortStableFunc(res.Tasks, func(a, b TaskRun) int {
		return cmp.Or(cmp.Compare(a.StartMs, b.StartMs), cmp.Compare(a.Worker, b.Worker), cmp.Compare(a.Slot, b.Slot))
	})
	var b strings.Builder
	for _, r := range res.Tasks {
		s := &x.run.Stages[r.Stage]
		worker := fmt.Sprint("new", r.Worker)
		if int(r.Worker) < len(x.run.Workers) {
			worker = x.run.Workers[r.Worker].Name
		}
		name := x.names[int(r.Stage)%len(x.names)] // a run that was cut repeats them
		fmt.Fprintf(&b, "%5.1f-%-5.1f %s/%d %s.%d %d", float64(r.StartMs)/1000, float64(r.EndMs)/1000, worker, r.Slot, name, r.Attempt, r.Task-s.First)
		if r.Status != "success" {
			fmt.Fprintf(&b, " %s", r.Status)
		}
		if r.Why != WhyFirst {
			fmt.Fprintf(&b, " (%s)", WhyName(r.Why))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s at %.1f: again %d tasks %.1f s, in flight %d tasks %.1f s, interrupted %d tasks %.1f s", res.Outcome, float64(res.MakespanMs)/1000,
		res.RerunTasks, float64(res.RerunMs)/1000, res.InFlightTasks, float64(res.InFlightMs)/1000, res.Interrupted, float64(res.InterruptedMs)/1000)
	if res.MovedBytes > 0 {
		fmt.Fprintf(&b, ", moved %d bytes", res.MovedBytes)
	}
	if res.Released > 0 {
		fmt.Fprintf(&b, ", released %d", res.Released)
	}
	if res.CachedMs > 0 {
		fmt.Fprintf(&b, ", cached %.1f s", float64(res.CachedMs)/1000)
	}
	b.WriteByte('\n')
	return b.String()
}

// TestSchedules runs the small schedules of testdata, which were worked out by
// hand.
func TestSchedules(t *testing.T) {
	datadriven.Walk(t, "testdata/schedules", func(t *testing.T, path string) {
		var x *textRun
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "run":
				x = parseRun(t, d.Input)
				return ""
			case "simulate":
				return x.simulate(d)
			}
			t.Fatalf("unknown command %s", d.Cmd)
			return ""
		})
	})
}
