package source

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tracereplay/internal/problem"
)

// family is a set of files that together are one log, told by their names:
// here the name is the format, because the order is written nowhere else.
//
//	rolled (3.0+)   events_N_APP[.CODEC][.compact], appstatus_APP[.inprogress]
//	Databricks      eventlog-DATE[.gz] ..., and the newest part: eventlog
//	Spark 1.0-1.2   EVENT_LOG_N, SPARK_VERSION_V, APPLICATION_COMPLETE
type family struct {
	name       string // what sets it apart within its directory, "" if it is alone there
	members    []member
	inProgress bool
	compacted  bool
	found      []problem.Problem
	notes      []Note
}

// member is one file of a family.
type member struct {
	node    *node
	number  int64
	compact bool
	base    string
}

// named reports that the user named one of the files.
func (f *family) named() bool {
	return slices.ContainsFunc(f.members, func(m member) bool { return m.node.named })
}

// families sorts the files of one directory into families and the rest.
func families(dir place, files []*node) (found []*family, rest []*node) {
	var rolled, dated, old, status []member
	var marks []*node
	for _, n := range files {
		switch m, kind := parseName(n.name); kind {
		case nameRolled:
			m.node = n
			rolled = append(rolled, m)
		case nameDatabricks:
			dated = append(dated, member{node: n, base: n.name})
		case nameOld:
			m.node = n
			old = append(old, m)
		case nameStatus:
			m.node = n
			status = append(status, m)
		case nameOldMark:
			marks = append(marks, n)
		default:
			rest = append(rest, n)
		}
	}
	fams, loose := rolledFamilies(dir, rolled, status)
	found = append(found, fams...)
	rest = append(rest, loose...)
	if f := databricksFamily(dated); f != nil {
		found = append(found, f)
	} else {
		rest = appendNodes(rest, dated)
	}
	if len(old) > 0 {
		found = append(found, oldFamily(dir.path, old, marks))
	} else {
		rest = append(rest, marks...)
	}
	return found, rest
}

func appendNodes(nodes []*node, ms []member) []*node {
	for _, m := range ms {
		nodes = append(nodes, m.node)
	}
	return nodes
}

type nameKind int

const (
	nameOther nameKind = iota
	nameRolled
	nameStatus
	nameDatabricks
	nameOld
	nameOldMark
)

// rolledPrefix begins the name of the directory of a rolled log.
const rolledPrefix = "eventlog_v2_"

func parseName(name string) (member, nameKind) {
	if rest, ok := strings.CutPrefix(name, "events_"); ok {
		return parseRolled(rest)
	}
	if rest, ok := strings.CutPrefix(name, "appstatus_"); ok {
		base, _, _ := strings.Cut(rest, ".")
		return member{base: base}, nameStatus
	}
	if isDatabricks(name) {
		return member{}, nameDatabricks
	}
	if rest, ok := strings.CutPrefix(name, "EVENT_LOG_"); ok {
		if n, ok := parseNumber(rest); ok {
			return member{number: n}, nameOld
		}
	}
	if name == "APPLICATION_COMPLETE" || strings.HasPrefix(name, "SPARK_VERSION_") || strings.HasPrefix(name, "COMPRESSION_CODEC_") {
		return member{}, nameOldMark
	}
	return member{}, nameOther
}

// parseRolled reads N_APP[.CODEC][.compact]. APP never has a dot: Spark
// replaces it in ids.
func parseRolled(s string) (member, nameKind) {
	digits, app, ok := strings.Cut(s, "_")
	n, isNumber := parseNumber(digits)
	if !ok || !isNumber || app == "" {
		return member{}, nameOther
	}
	base, _, _ := strings.Cut(app, ".")
	return member{number: n, base: base, compact: strings.HasSuffix(app, ".compact")}, nameRolled
}

// parseNumber takes decimal digits only, up to a number no log will reach.
func parseNumber(s string) (int64, bool) {
	if s == "" || len(s) > 15 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// isDatabricks knows eventlog and eventlog-2021-06-15--15-00[.gz].
func isDatabricks(name string) bool {
	rest, ok := strings.CutPrefix(name, "eventlog")
	if !ok || rest == "" {
		return ok
	}
	const form = "-0000-00-00--00-00"
	if len(rest) < len(form) {
		return false
	}
	for i := range form {
		digit := rest[i] >= '0' && rest[i] <= '9'
		if (form[i] == '0') != digit || (!digit && rest[i] != form[i]) {
			return false
		}
	}
	return len(rest) == len(form) || rest[len(form)] == '.' || rest[len(form)] == '-'
}

// rolledFamilies makes one family of each application's events files. A single
// file that only has such a name, in a directory that is not one of a rolled
// log, is a file like any other.
func rolledFamilies(dir place, events, status []member) (found []*family, loose []*node) {
	bases := map[string][]member{}
	for _, m := range events {
		bases[m.base] = append(bases[m.base], m)
	}
	states := map[string][]member{}
	for _, m := range status {
		states[m.base] = append(states[m.base], m)
	}
	for _, base := range sortedKeys(bases) {
		ms := bases[base]
		if len(ms) == 1 && !dir.rolled && len(states[base]) == 0 && !ms[0].compact {
			loose = append(loose, ms[0].node)
			continue
		}
		f := rolledFamily(dir.path, ms)
		f.inProgress = slices.ContainsFunc(states[base], func(m member) bool { return strings.HasSuffix(m.node.name, ".inprogress") })
		if len(states[base]) == 0 && dir.whole {
			f.notes = append(f.notes, Note{dir.path, "the rolled log has no appstatus file: whether its driver had finished is not known from the files"})
		}
		if len(bases) > 1 {
			f.name = base
		}
		found = append(found, f)
	}
	for _, base := range sortedKeys(states) {
		if len(bases[base]) == 0 {
			loose = appendNodes(loose, states[base])
		}
	}
	return found, loose
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// rolledFamily puts events files in reading order: from the last compact file,
// if its originals are gone, then by number.
func rolledFamily(dir string, ms []member) *family {
	f := &family{}
	var plain, compact []member
	for _, m := range ms {
		if m.compact {
			compact = append(compact, m)
		} else {
			plain = append(plain, m)
		}
	}
	plain = f.byNumber(plain)
	compact = f.byNumber(compact)
	first := int64(1)
	if len(compact) > 0 {
		last := compact[len(compact)-1]
		if reachesFromOne(plain, last.number) {
			f.notes = append(f.notes, Note{last.node.path, "not used: the files it was compacted from are all still there"})
		} else {
			f.compacted = true
			f.members = append(f.members, last)
			first = last.number + 1
			plain = slices.DeleteFunc(plain, func(m member) bool { return m.number <= last.number })
		}
	}
	f.members = append(f.members, plain...)
	f.missing(dir, plain, first)
	return f
}

// byNumber sorts, and of two files of one number keeps the larger.
func (f *family) byNumber(ms []member) []member {
	slices.SortFunc(ms, func(a, b member) int {
		if a.number != b.number {
			return cmpInt(a.number, b.number)
		}
		if a.node.size != b.node.size {
			return cmpInt(b.node.size, a.node.size)
		}
		return strings.Compare(a.node.name, b.node.name)
	})
	var kept []member
	for _, m := range ms {
		if n := len(kept); n > 0 && kept[n-1].number == m.number {
			f.notes = append(f.notes, Note{m.node.path, fmt.Sprintf("not used: %s has the same number and is not smaller", kept[n-1].node.name)})
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

func cmpInt(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// reachesFromOne reports that ms, sorted, has every number from 1 to n.
func reachesFromOne(ms []member, n int64) bool {
	if n < 1 || int64(len(ms)) < n {
		return false
	}
	for i := range n {
		if ms[i].number != i+1 {
			return false
		}
	}
	return true
}

// missing makes a problem of each hole in the numbers.
func (f *family) missing(dir string, ms []member, next int64) {
	for _, m := range ms {
		if m.number > next {
			what := fmt.Sprintf("file %d", next)
			if m.number-1 > next {
				what = fmt.Sprintf("files %d to %d", next, m.number-1)
			}
			f.found = append(f.found, problem.Problem{
				Kind:   problem.MissingPart,
				Pos:    problem.Pos{File: dir, Offset: -1},
				Detail: fmt.Sprintf("%s of the rolled log missing before %s", what, m.node.name),
			})
		}
		next = max(next, m.number+1)
	}
}

// databricksFamily sorts by date; the part without one is the newest.
func databricksFamily(ms []member) *family {
	if len(ms) < 2 {
		return nil
	}
	slices.SortFunc(ms, func(a, b member) int {
		if a.base == "eventlog" || b.base == "eventlog" {
			return strings.Compare(b.base, a.base)
		}
		return strings.Compare(a.base, b.base)
	})
	return &family{members: ms}
}

// oldFamily is the directory of a Spark 1.x application.
func oldFamily(dir string, ms []member, marks []*node) *family {
	complete := func(n *node) bool { return n.name == "APPLICATION_COMPLETE" }
	f := &family{inProgress: len(marks) > 0 && !slices.ContainsFunc(marks, complete)}
	f.members = f.byNumber(ms)
	f.missing(dir, f.members, f.members[0].number)
	return f
}
