package sim

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
)

// labDelay is what became of a run with a loss, and what had been said of it.
type labDelay struct {
	x        *labRun
	kind     string
	twins    int
	twinMs   int64 // recorded, in the mean of the twins
	noiseMs  int64 // their standard deviation
	lateMs   int64 // later than they
	sinceMs  int64 // later than they from the same progress on
	lowMs    int64 // predicted delay: the tenth, the half, the nine tenths
	saidMs   int64
	highMs   int64
	redoneMs int64 // predicted redone slot time / slots
	toldMs   int64 // delay_ms of replay explain
	leftMs   int64 // from the loss to the end
	endMs    int64 // predicted from the log's own state
}

// TestLabDelay predicts how late the lab's runs with losses end, from their twins
// and from their own state at the loss, beside naive predictors. It is the table
// of docs/simulator.md, as scripts/accuracy-delay makes it with the program; with
// TRACEREPLAY_DELAY_CSV it writes docs/delay.csv.
func TestLabDelay(t *testing.T) {
	runs := readLab(t)
	var rows []labDelay
	for _, x := range runs {
		if len(x.Actions) == 0 || x.Outcome != "succeeded" || len(x.run.losses()) == 0 {
			continue
		}
		d := labDelay{x: x, kind: x.lossKind()}
		d.fromTwins(runs)
		d.inLog()
		if each, _ := Delays(x.run); len(each) == 1 && each[0].Known {
			d.toldMs = each[0].Ms
		}
		rows = append(rows, d)
		t.Logf("%-24s %-20s took %6d, twins %d: %6d +- %4d, late %6d (since the loss %6d), said %6d [%d-%d] makespan %+5.1f%% | told %6d | left %6d, in the log %+5.1f%%", x.Name, d.kind,
			x.run.RecordedMs, d.twins, d.twinMs, d.noiseMs, d.lateMs, d.sinceMs, d.saidMs, d.lowMs, d.highMs, 100*d.makespanError(), d.toldMs, d.leftMs, 100*d.leftError())
	}
	summary(t, runs, rows)
	if path := os.Getenv("TRACEREPLAY_DELAY_CSV"); path != "" {
		writeDelays(t, path, rows)
	}
}

func (d *labDelay) makespanError() float64 {
	return float64(d.twinMs+d.saidMs)/float64(d.x.run.RecordedMs) - 1
}

func (d *labDelay) leftError() float64 {
	return float64(d.endMs-d.x.run.RecordedMs) / float64(d.leftMs)
}

// twinsOf are the undisturbed runs of the same job.
func twinsOf(runs []*labRun, x *labRun) []*labRun {
	group := x.Group
	if group == "other" {
		group = "linear"
	}
	var out []*labRun
	for _, y := range runs {
		if len(y.Actions) == 0 && y.Outcome == "succeeded" && y.Group == group && fmt.Sprint(y.Args) == fmt.Sprint(x.Args) {
			out = append(out, y)
		}
	}
	return out
}

func (d *labDelay) fromTwins(runs []*labRun) {
	x := d.x
	gone := x.run.Removals[x.run.losses()[0]].GoneMs
	var spans, p10, p50, p90, redone, since []int64
	for _, y := range twinsOf(runs, x) {
		spans = append(spans, y.run.RecordedMs)
		if at, ok := Alike(x.run, y.run, gone); ok {
			since = append(since, y.run.RecordedMs-at)
		}
		var said, again []int64
		for _, l := range LossLike(x.run, y.run) {
			said, again = append(said, l.DelayMs), append(again, l.RecomputeMs)
		}
		if n := len(said); n > 0 {
			p50 = append(p50, median(said))
			p10, p90 = append(p10, said[n/10]), append(p90, said[n*9/10])
			slots := int64(0)
			for i := range y.run.Workers {
				slots += int64(y.run.Workers[i].Slots)
			}
			redone = append(redone, median(again)/slots)
		}
	}
	d.twins = len(spans)
	if d.twins == 0 || len(p50) == 0 {
		d.twins = 0
		return
	}
	d.twinMs, d.saidMs, d.redoneMs = mean(spans), median(p50), median(redone)
	d.lowMs, d.highMs = slices.Min(p10), slices.Max(p90)
	for _, ms := range spans {
		d.noiseMs += (ms - d.twinMs) * (ms - d.twinMs)
	}
	d.noiseMs = int64(math.Sqrt(float64(d.noiseMs) / float64(max(len(spans)-1, 1))))
	d.lateMs = x.run.RecordedMs - d.twinMs
	d.sinceMs = x.run.RecordedMs - gone - mean(since)
}

// inLog simulates the losses that the lab inflicted from the log's own state.
func (d *labDelay) inLog() {
	x := d.x
	if d.kind == "" {
		return
	}
	opt := x.inflicted()
	opt.FromMs = x.run.ResumeMs(opt)
	s := New(x.run)
	d.endMs, _ = middle(s, *opt, 15)
	d.leftMs = x.run.RecordedMs - opt.Removals[0].GoneMs
}

func mean(list []int64) int64 {
	sum := int64(0)
	for _, v := range list {
		sum += v
	}
	return sum / int64(max(len(list), 1))
}

// summary prints the errors' medians, and how well the order of runs is told.
func summary(t *testing.T, runs []*labRun, rows []labDelay) {
	show := func(name string, list []float64) {
		if len(list) == 0 {
			return
		}
		for i := range list {
			list[i] = math.Abs(list[i])
		}
		slices.Sort(list)
		t.Logf("| %-55s | %3d | %5.1f %% | %5.1f %% | %5.1f %% |", name, len(list), 100*list[len(list)/2], 100*list[len(list)*9/10], 100*list[len(list)-1])
	}
	for _, contended := range []bool{false, true} {
		var fid, lossFid, cross, plain, span, delay, since, told, none, slots, noise, left, end []float64
		for _, x := range runs {
			if x.contended() != contended {
				continue
			}
			f := Fidelity(x.run)
			if len(x.Actions) > 0 {
				lossFid = append(lossFid, f.Error)
				continue
			}
			fid = append(fid, f.Error)
			for _, y := range twinsOf(runs, x) {
				if y != x {
					cross = append(cross, float64(f.MakespanMs)/float64(y.run.RecordedMs)-1)
					plain = append(plain, float64(x.run.RecordedMs)/float64(y.run.RecordedMs)-1)
				}
			}
		}
		for i := range rows {
			d := &rows[i]
			if d.x.contended() != contended {
				continue
			}
			if d.leftMs > 0 {
				left = append(left, d.leftError())
				end = append(end, float64(d.endMs)/float64(d.x.run.RecordedMs)-1)
			}
			if d.twins == 0 {
				continue
			}
			late := float64(d.lateMs)
			span = append(span, d.makespanError())
			delay, since = append(delay, float64(d.saidMs)/late-1), append(since, float64(d.saidMs)/float64(d.sinceMs)-1)
			none, slots = append(none, 1), append(slots, float64(d.redoneMs)/late-1)
			if d.toldMs > 0 {
				told = append(told, float64(d.toldMs)/late-1)
			}
			if d.twins > 1 {
				noise = append(noise, float64(d.noiseMs)/late)
			}
		}
		t.Logf("pieces that want processors: %v", contended)
		show("fidelity, twins", fid)
		show("fidelity, runs with losses", lossFid)
		show("a twin simulated, against another recorded", cross)
		show("a twin recorded, against another recorded", plain)
		show("makespan, from twins", span)
		show("delay, from twins", delay)
		show("delay, against the time lost since the loss", since)
		show("the twins' spread, as a share of the delay", noise)
		show("no delay", none)
		show("redone slot time / slots", slots)
		show("delay_ms of explain", told)
		show("makespan, from the log's state at the loss", end)
		show("what remained then", left)
	}
	good, bad := inOrder(rows)
	if good+bad > 0 {
		t.Logf("Kendall's tau %.2f over %d pairs", float64(good-bad)/float64(good+bad), good+bad)
	}
}

// contended tells whether a run's pieces compute or write, on a box with fewer
// processors than slots.
func (x *labRun) contended() bool {
	w, ok := x.Args["work"].(string)
	return ok && w != "rest"
}

// inOrder counts the pairs of one workload whose makespans differ by more than
// twice the twins' standard deviation: those that are told in their order, and
// the others.
func inOrder(rows []labDelay) (good, bad int) {
	for i := range rows {
		for k := range i {
			x, y := &rows[i], &rows[k]
			if x.twins < 2 || y.twins < 2 || x.x.Workload != y.x.Workload || fmt.Sprint(x.x.Args) != fmt.Sprint(y.x.Args) {
				continue
			}
			real := x.x.run.RecordedMs - y.x.run.RecordedMs
			if max(real, -real) <= 2*max(x.noiseMs, y.noiseMs) {
				continue
			}
			if (x.twinMs+x.saidMs > y.twinMs+y.saidMs) == (real > 0) {
				good++
			} else {
				bad++
			}
		}
	}
	return good, bad
}

func writeDelays(t *testing.T, path string, rows []labDelay) {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := csv.NewWriter(f)
	ms := func(v int64) string { return strconv.FormatInt(v, 10) }
	all := [][]string{{
		"run", "group", "kind", "spark", "makespan_ms", "twins", "twin_ms", "noise_ms", "actual_delay_ms", "late_since_ms", "predicted_delay_ms", "predicted_low_ms",
		"predicted_high_ms", "slots_delay_ms", "explain_delay_ms", "left_ms", "in_log_ms",
	}}
	for i := range rows {
		d := &rows[i]
		row := []string{d.x.Name, d.x.Group, d.kind, d.x.Spark, ms(d.x.run.RecordedMs), ms(int64(d.twins)), "", "", "", "", "", "", "", "", "", "", ""}
		if d.twins > 0 {
			for k, v := range []int64{d.twinMs, d.noiseMs, d.lateMs, d.sinceMs, d.saidMs, d.lowMs, d.highMs, d.redoneMs} {
				row[6+k] = ms(v)
			}
		}
		if d.toldMs != 0 {
			row[14] = ms(d.toldMs)
		}
		if d.leftMs > 0 {
			row[15], row[16] = ms(d.leftMs), ms(d.endMs)
		}
		all = append(all, row)
	}
	if err := w.WriteAll(all); err != nil {
		t.Fatal(err)
	}
}
