package replay

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// headerLine is a line of a header that begins an entry: -- Key: text, or
// -- Key name=value: text for what holds for one value of a parameter.
var headerLine = regexp.MustCompile(`^-- ([A-Z][a-z]*(?: [a-z]+)?)(?: ([a-z][a-z0-9_]*)=([^\s:]+))?:(?:\s+(.*))?$`)

// name is what policies, parameters and tables are called.
var (
	policyName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	paramName  = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// paramLine is the text of a Parameter or Assumption entry.
var (
	paramLine      = regexp.MustCompile(`^(\S+) (\w+) = (""|"[^"]*"|[^\s:]+)(?: from (\S+) to ([^\s:]+)| of ([^:]+))?:\s*(.+)$`)
	assumptionLine = regexp.MustCompile(`^(\S+) (\w+) = (\S+) to ([^\s:]+):\s*(.+)$`)
)

// entry is one entry of a header.
type entry struct {
	key  string
	when Remark
	text string
	line int
}

// ReadPolicy reads a policy from its text. file is where it came from, for
// error messages.
func ReadPolicy(file, text string) (*Policy, error) {
	entries, body, err := headerEntries(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p := &Policy{}
	for _, e := range entries {
		if err := p.take(e); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, e.line, err)
		}
	}
	if err := p.complete(entries); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if p.statements, err = statements(text[body:]); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := p.checkStatements(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p.header = plainHeader(text[:body])
	return p, nil
}

// headerEntries reads the comment that a policy begins with, and tells where it
// ends.
func headerEntries(text string) (entries []entry, body int, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		trimmed := strings.TrimRight(line, "\r\n ")
		if !strings.HasPrefix(trimmed, "--") {
			break
		}
		m := headerLine.FindStringSubmatch(trimmed)
		switch {
		case m != nil && slices.Contains(headerKeys, m[1]):
			e := entry{key: m[1], when: Remark{Param: m[2], Value: m[3]}, text: strings.TrimSpace(m[4]), line: number}
			entries = append(entries, e)
		case strings.HasPrefix(trimmed, "--   ") && len(entries) > 0:
			last := &entries[len(entries)-1]
			last.text = strings.TrimSpace(last.text + " " + strings.TrimSpace(trimmed[2:]))
		case m != nil:
			return nil, 0, fmt.Errorf("line %d: a header has no entry %q; it has %s", number, m[1], strings.Join(headerKeys, ", "))
		default:
			return nil, 0, fmt.Errorf("line %d of the header is neither an entry (-- Key: text) nor indented to go on with one", number)
		}
		body += len(line)
	}
	if len(entries) == 0 {
		return nil, 0, errors.New("the header is missing: a policy begins with -- Purpose: what it does")
	}
	return entries, body, nil
}

// headerKeys are the entries of a header, in the order they are written.
var headerKeys = []string{
	"Purpose", "Policy", "Parameter", "Assumption", "Inputs", "Rewrites", "Costs", "Not for", "Moves work", "Unknown", "Caveat", "Checked", "Apart",
}

// take adds one entry to the policy.
func (p *Policy) take(e entry) error {
	if e.text == "" {
		return fmt.Errorf("the entry %s is empty", e.key)
	}
	remark := Remark{Param: e.when.Param, Value: e.when.Value, Text: e.text}
	switch e.key {
	case "Purpose":
		return once(&p.Purpose, e)
	case "Policy":
		if !policyName.MatchString(e.text) {
			return fmt.Errorf("a policy's name has small letters, digits and hyphens, not %q", e.text)
		}
		return once(&p.Name, e)
	case "Parameter":
		return p.takeParam(e)
	case "Assumption":
		return p.takeAssumption(e)
	case "Inputs":
		return takeTables(&p.Inputs, e, inputTables())
	case "Rewrites":
		return takeTables(&p.Rewrites, e, rewriteTables())
	case "Costs":
		p.Costs = append(p.Costs, remark)
	case "Not for":
		return once(&p.NotFor, e)
	case "Moves work":
		if e.text != "yes" && e.text != "no" {
			return errors.New("the entry Moves work is yes or no")
		}
		p.MovesWork = e.text == "yes"
	case "Unknown":
		p.Unknowns = append(p.Unknowns, remark)
	case "Caveat":
		p.Caveats = append(p.Caveats, remark)
	case "Checked":
		p.Checked = append(p.Checked, remark)
	case "Apart":
		return p.takeApart(e)
	}
	return nil
}

func once(dst *string, e entry) error {
	if *dst != "" {
		return fmt.Errorf("the header has two entries %s", e.key)
	}
	*dst = e.text
	return nil
}

// takeTables reads a list of tables, or none.
func takeTables(dst *[]string, e entry, known []string) error {
	if e.text == "none" {
		return nil
	}
	for _, name := range strings.Split(e.text, ",") {
		name = strings.TrimPrefix(strings.TrimSpace(name), "world.")
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s: there is no table %q; there are %s", e.key, name, strings.Join(known, ", "))
		}
		*dst = append(*dst, name)
	}
	return nil
}

func (p *Policy) takeParam(e entry) error {
	m := paramLine.FindStringSubmatch(e.text)
	if m == nil {
		return errors.New("write a parameter as NAME TYPE = DEFAULT from LEAST to MOST: meaning, or NAME choice = DEFAULT of A, B: meaning")
	}
	x := Param{Name: m[1], Type: ParamType(m[2]), Default: strings.Trim(m[3], `"`), From: m[4], To: m[5], Doc: m[7]}
	if m[6] != "" {
		for _, c := range strings.Split(m[6], ",") {
			x.Choices = append(x.Choices, strings.TrimSpace(c))
		}
	}
	if err := p.addParam(x); err != nil {
		return err
	}
	if err := x.check(x.Default); err != nil {
		return fmt.Errorf("parameter %s: its default %q: %w", x.Name, x.Default, err)
	}
	return nil
}

func (p *Policy) takeAssumption(e entry) error {
	m := assumptionLine.FindStringSubmatch(e.text)
	if m == nil {
		return errors.New("write an assumption as NAME TYPE = LOW to HIGH: meaning")
	}
	x := Param{Name: m[1], Type: ParamType(m[2]), From: m[3], To: m[4], Doc: m[5], IsAssumption: true, When: e.when}
	if err := p.addParam(x); err != nil {
		return err
	}
	for _, v := range []string{x.From, x.To} {
		if err := x.check(v); err != nil {
			return fmt.Errorf("assumption %s: its end %q: %w", x.Name, v, err)
		}
	}
	return nil
}

func (p *Policy) addParam(x Param) error {
	types := []ParamType{IntParam, FloatParam, DurationParam, SizeParam, TextParam, ChoiceParam}
	_, isTaken := p.param(x.Name)
	switch {
	case !paramName.MatchString(x.Name) || x.Name == "is_set":
		return fmt.Errorf("a parameter's name has small letters, digits and _, not %q", x.Name)
	case isTaken:
		return fmt.Errorf("there are two parameters %s", x.Name)
	case !slices.Contains(types, x.Type):
		return fmt.Errorf("parameter %s: there is no type %q, but int, float, duration, size, text and choice", x.Name, x.Type)
	case (x.Type == ChoiceParam) != (len(x.Choices) > 0) && !x.IsAssumption:
		return fmt.Errorf("parameter %s: a choice, and nothing else, has values after the word of", x.Name)
	}
	p.Params = append(p.Params, x)
	return nil
}

// takeApart reads settings name=value, separated by semicolons; several of one
// are joined by a colon.
func (p *Policy) takeApart(e entry) error {
	for _, part := range strings.Split(e.text, ";") {
		var set []Remark
		for _, kv := range strings.Split(strings.TrimSpace(part), ":") {
			name, value, ok := strings.Cut(kv, "=")
			if !ok {
				return errors.New("write Apart: as name=value; name=value")
			}
			set = append(set, Remark{Param: name, Value: value})
		}
		p.Apart = append(p.Apart, set)
	}
	return nil
}

// complete tells what a header lacks.
func (p *Policy) complete(entries []entry) error {
	has := func(key string) bool {
		return slices.ContainsFunc(entries, func(e entry) bool { return e.key == key })
	}
	for _, key := range []string{"Purpose", "Policy", "Inputs", "Rewrites", "Costs", "Not for", "Moves work"} {
		if !has(key) {
			return fmt.Errorf("the header has no entry %s", key)
		}
	}
	for _, e := range entries {
		if e.when.Param == "" {
			continue
		}
		x, ok := p.param(e.when.Param)
		if !ok || x.check(e.when.Value) != nil {
			return fmt.Errorf("line %d: %s %s=%s: there is no such parameter or value", e.line, e.key, e.when.Param, e.when.Value)
		}
	}
	for _, set := range p.Apart {
		for _, s := range set {
			if err := (Args{s.Param: s.Value}).check(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// plainHeader is a header without its comment marks.
func plainHeader(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimPrefix(line, "--"), " ")
		b.WriteString(line)
	}
	return b.String()
}

// rewriteTables are the tables that a policy may make anew.
func rewriteTables() []string {
	var names []string
	for _, t := range worldTables() {
		names = append(names, strings.TrimPrefix(t, "world/"))
	}
	return names
}

// inputTables are the tables that a policy may read: a world's, and what is
// derived from it and from the log's removals.
func inputTables() []string {
	return append(rewriteTables(), append(blameTables(), "lane", "place")...)
}

// blameTables tell what the recorded removals did.
func blameTables() []string { return []string{"removal", "taken", "again", "cut_off"} }
