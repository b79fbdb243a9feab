package reporttest

import (
	"fmt"
	"strings"

	"tracereplay/analysis"
	"tracereplay/internal/table"
)

// Hostile are texts that try to do something where they are shown.
func Hostile() []string {
	return []string{
		`<script>document.title="pwned"</script>`,
		`"><img src=x onerror=document.title="pwned">`,
		`</title></svg><svg onload=document.title="pwned">`,
		`]]><!-- --><![CDATA[`,
		`a | b | c`,
		"line\nnext\r\n# heading",
		"[click](javascript:alert(1)) ![i](http://evil.example/x.png) http://evil.example www.evil.example",
		"`code` **bold** _it_ ~~x~~ <http://evil.example>",
		"\x1b[31mred\x1b]0;title\x07\x9b",
		"abc\u202egnp.exe\u2066\u200b\ufeff",
		"nul\x00 bad\xff\xfe utf8",
		`=HYPERLINK("http://evil.example")`,
		`'; DROP TABLE app; --`,
		`{{.Report}} ${x} {worst_machine_unit} **`,
		`%s%d%!`,
		`&lt;script&gt; &amp; &#60;`,
		`url(javascript:alert(1)); } body { display: none }`,
		strings.Repeat("a", 1<<20),
		strings.Repeat("<b>", 1<<18),
	}
}

// HostileInputs are inputs in which every text that comes from a log is one of
// Hostile, in turn.
func HostileInputs() *analysis.Inputs {
	texts := Hostile()
	n := 0
	next := func() string {
		n++
		return texts[n%len(texts)]
	}
	s := Size{Machines: len(texts), Rounds: 6, Bins: 10, RoundMs: 20_000, Names: func(i int) string { return fmt.Sprint(texts[i], i) }}
	in := Inputs(s)
	a := &in.App
	a.ID, a.Name, a.Engine, a.Version, a.User, a.Manager, a.CoordinatorMachine = next(), texts[0], next(), next(), next(), next(), next()
	a.UnplacedWorkers = 3
	in.Units = append(in.Units, analysis.Unit{Kind: analysis.Machine, Name: a.CoordinatorMachine, IsCoordinator: true})
	in.Command = next()
	for i := range texts {
		Withdraw(in, s, i, 1+i%4)
		r := &in.Removals[i]
		r.Reason, r.Cause = table.Some(next()), next()
		in.Notes = append(in.Notes, next())
		in.Problems = append(in.Problems, analysis.Problem{Kind: next(), Count: 1, Example: next()})
		in.Checks = append(in.Checks, analysis.Check{Name: next(), Violations: 1, Detail: next()})
	}
	for i := range in.Timeline.Attempts {
		a := &in.Timeline.Attempts[i]
		a.EndState, a.Why = next(), next()
	}
	for i := range in.Chain {
		in.Chain[i].Name, in.Links[i].Name, in.Chain[i].Readers, in.Chain[i].Stages = next(), next(), next(), next()
	}
	for i := range in.Timeline.Places {
		for j := range in.Timeline.Places[i].Workers {
			w := &in.Timeline.Places[i].Workers[j]
			old := w.Worker
			w.Worker = next() + old
			for k := range in.Timeline.Attempts {
				if a := &in.Timeline.Attempts[k]; a.Worker == old {
					a.Worker = w.Worker
				}
			}
		}
	}
	in.HasApps = true
	for i := range in.Jobs {
		in.Jobs[i].Name = next()
	}
	for i := range in.Stages {
		in.Stages[i].Name, in.Stages[i].Failure = next(), next()
	}
	for i := range in.Exposures {
		in.Exposures[i].Name, in.Exposures[i].Kind = next(), next()
	}
	for i := range in.Storage {
		in.Storage[i].Evidence = next()
	}
	for i := range in.Worst {
		in.Worst[i].Known = next()
	}
	in.Simulation.Reason = next()
	for i := range in.Makespans.Policies {
		in.Makespans.Policies[i].Policy = next()
	}
	in.Makespans.Policies[2].Why, in.Makespans.BadDay.Policy, in.Makespans.BadDay.Losses[0].Unit = next(), next(), next()
	return in
}
