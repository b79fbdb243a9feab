package replay

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Step is a policy with its settings.
type Step struct {
	Policy *Policy
	Args   Args
}

// Chain is policies one after the other: each rewrites the world that the one
// before has left.
type Chain []Step

// ParsePolicies reads policies as a user writes them: NAME, NAME=VALUE, further
// parameters NAME=VALUE:key=value, a path that ends in .sql instead of NAME; a
// comma composes them from left to right.
func ParsePolicies(spec string) (Chain, error) {
	var c Chain
	for _, part := range strings.Split(spec, ",") {
		s, err := parseStep(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		c = append(c, s)
	}
	return c, nil
}

func parseStep(text string) (Step, error) {
	name, settings := cutName(text)
	if name == "" {
		return Step{}, errors.New("a policy is missing between two commas, or at an end")
	}
	p, err := findPolicy(name)
	if err != nil {
		return Step{}, err
	}
	s := Step{Policy: p, Args: Args{}}
	for i, set := range settings {
		key, value, isSet := strings.Cut(set, "=")
		if i == 0 && key == "" {
			if len(p.Params) == 0 {
				return Step{}, fmt.Errorf("policy %s has no parameter", p.Name)
			}
			key = p.Params[0].Name
		}
		switch {
		case !isSet:
			return Step{}, fmt.Errorf("policy %s: write %q as key=value", p.Name, set)
		case s.Args.has(key):
			return Step{}, fmt.Errorf("policy %s: %s is set twice", p.Name, key)
		}
		s.Args[key] = value
	}
	return s, s.Args.check(p)
}

func (a Args) has(key string) bool { _, ok := a[key]; return ok }

// cutName takes a policy's name or path off its settings. The first setting is
// "=value" when the policy's first parameter is set without its name.
func cutName(text string) (name string, settings []string) {
	from := 0
	if i := strings.Index(text, ".sql"); i >= 0 {
		from = i + len(".sql") // a path may have any character before its ending
	}
	i := strings.IndexAny(text[from:], "=:")
	if i < 0 {
		return text, nil
	}
	name, rest := text[:from+i], text[from+i:]
	if rest[0] == ':' {
		return name, strings.Split(rest[1:], ":")
	}
	return name, strings.Split(rest, ":")
}

// findPolicy reads a policy of ours, or a user's own file.
func findPolicy(name string) (*Policy, error) {
	if strings.HasSuffix(name, ".sql") || strings.ContainsAny(name, `/\`) {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("policy %s: %w", name, err)
		}
		return ReadPolicy(filepath.Base(name), string(text))
	}
	for _, n := range PolicyNames() {
		if n == name {
			p, err := ReadPolicy(name+".sql", query("policy/"+name))
			if err == nil {
				p.isShipped = true
			}
			return p, err
		}
	}
	return nil, fmt.Errorf("there is no policy %q, but %s; a file of your own is named with its path and .sql", name, strings.Join(PolicyNames(), ", "))
}

// PolicyNames are the policies that come with the program, in the order in which
// they are listed: what was, where copies live, who dies with whom, what moves
// work in time.
func PolicyNames() []string {
	return []string{
		"recorded", "undisturbed", "detached-shuffle", "replicate", "durable", "move-output", "spread", "smaller-workers", "smaller-machines", "on-demand",
		"drain", "idle-release", "shorter-rounds", "redo",
	}
}

// CommonPolicies are those that are compared when none is named.
func CommonPolicies() []string {
	return []string{
		"detached-shuffle=node", "detached-shuffle=remote", "replicate=2", "durable=5m", "move-output=2m", "spread", "smaller-workers=2",
		"on-demand=0.25", "drain", "shorter-rounds=4",
	}
}

// Policies are the policies that come with the program.
func Policies() ([]*Policy, error) {
	var all []*Policy
	for _, name := range PolicyNames() {
		p, err := findPolicy(name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// String is the chain as a user would write it.
func (c Chain) String() string {
	parts := make([]string, len(c))
	for i, s := range c {
		parts[i] = s.String()
	}
	return strings.Join(parts, ",")
}

// String is the step as a user would write it, its parameters in the order of
// the header.
func (s Step) String() string {
	text := s.Policy.Name
	for i, x := range s.Policy.Params {
		v, ok := s.Args[x.Name]
		switch {
		case !ok:
		case i == 0:
			text += "=" + v
		default:
			text += ":" + x.Name + "=" + v
		}
	}
	return text
}

// At is the chain with what it assumes set to one end.
func (c Chain) At(end End) Chain {
	out := slices.Clone(c)
	for i, s := range c {
		args := maps.Clone(s.Args)
		for _, x := range s.Policy.assumes(s.Args) {
			if args == nil {
				args = Args{}
			}
			args[x.Name] = x.From
			if end == HighEnd {
				args[x.Name] = x.To
			}
		}
		out[i].Args = args
	}
	return out
}

// MovesWork tells whether a policy of the chain moves work in time.
func (c Chain) MovesWork() bool {
	return slices.ContainsFunc(c, func(s Step) bool { return s.Policy.MovesWork })
}

// Assumption is what the chain assumes at one end, "" when it assumes nothing.
func (c Chain) Assumption(end End) string {
	var parts []string
	for _, s := range c {
		for _, x := range s.Policy.assumes(s.Args) {
			v := x.From
			if end == HighEnd {
				v = x.To
			}
			parts = append(parts, x.Name+"="+v)
		}
	}
	return strings.Join(parts, ":")
}

// Caveats are the caveats that hold under the chain's settings.
func (c Chain) Caveats() []string {
	var out []string
	for _, s := range c {
		out = append(out, remarks(s.Policy, s.Policy.Caveats, s.Args)...)
	}
	return out
}

// Unknowns are what no log can tell, under the chain's settings.
func (c Chain) Unknowns() []string {
	var out []string
	for _, s := range c {
		out = append(out, remarks(s.Policy, s.Policy.Unknowns, s.Args)...)
	}
	return out
}

// Checked is what the chain's policies were checked against in real runs, ""
// when one of them was not.
func (c Chain) Checked() string {
	var parts []string
	for _, s := range c {
		checked := remarks(s.Policy, s.Policy.Checked, s.Args)
		if len(checked) == 0 {
			return ""
		}
		parts = append(parts, checked...)
	}
	return strings.Join(parts, "; ")
}

// Apart are the chain's settings that a reader wants to see apart from the
// whole, where the user has not set them.
func (c Chain) Apart() []Chain {
	var out []Chain
	for i, s := range c {
		for _, set := range s.Policy.Apart {
			args := Args{}
			for k, v := range s.Args {
				args[k] = v
			}
			isOwn := true
			for _, r := range set {
				isOwn = isOwn && !args.has(r.Param)
				args[r.Param] = r.Value
			}
			if isOwn {
				other := slices.Clone(c)
				other[i] = Step{Policy: s.Policy, Args: args}
				out = append(out, other)
			}
		}
	}
	return out
}
