package replay

import (
	"strings"
	"testing"
)

// FuzzPolicyHeader gives any text as a policy's file. What is accepted is
// consistent: its defaults hold, its statements make what it says, and the name
// under which it is shown reads as the same policy again.
func FuzzPolicyHeader(f *testing.F) {
	for _, name := range PolicyNames() {
		f.Add(query("policy/" + name))
	}
	f.Add("-- Purpose: a\n-- Policy: b\n-- Parameter: n int = 1 from 0 to 9: x\n-- Inputs: output\n-- Rewrites: none\n-- Costs n=2: c\n" +
		"-- Not for: d\n-- Moves work: no\n-- Apart: n=2; n=3\nCREATE TABLE next.note AS SELECT ';' AS text -- ;\n;")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ReadPolicy("x.sql", text)
		if err != nil {
			return
		}
		for _, s := range p.statements {
			if createLine.FindString(s.text) == "" || !strings.HasSuffix(s.text, s.query) || !strings.Contains(text, s.text) {
				t.Errorf("statement %+v", s)
			}
		}
		if err := (Args{}).check(p); err != nil {
			t.Error(err)
		}
		for _, end := range []End{LowEnd, HighEnd} {
			if _, _, err := p.values(Args{}, end); err != nil {
				t.Error(err)
			}
		}
		c := Chain{{Policy: p, Args: Args{}}}
		_, _, _, _ = c.Caveats(), c.Unknowns(), c.Apart(), c.Assumption(HighEnd)
		if _, settings := cutName(c.String()); len(settings) > 0 {
			t.Errorf("%q is not a policy's name alone", c.String())
		}
	})
}
