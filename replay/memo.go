package replay

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"tracereplay/internal/duck"
)

// memo knows what the tables world.* and loss.* were made from, so that a step
// whose inputs have not changed is not taken again: most policies rewrite two or
// three tables of a world, and on a small run every step costs as much as on one
// a hundred times as large.
type memo struct {
	version map[string]int64  // of a table; another number is other content
	rows    map[string]int64  // of tables of steps
	from    map[string]string // step: versions of its inputs, and its values, when it was last taken
	sums    map[string]string // of tables that are compared
	steps   map[string]*step
	last    int64
}

func newMemo() memo {
	return memo{version: map[string]int64{}, rows: map[string]int64{}, from: map[string]string{}, sums: map[string]string{}, steps: map[string]*step{}}
}

// step is a file of directory sql that makes one table from others.
type step struct {
	text, makes string
	reads       []string
	isView      bool     // it holds no rows of its own
	isCompared  bool     // its content is compared with what was there: much depends on it, and it is small
	emptyIf     []string // makes no row where one of these has none
}

var (
	namedTable = []*regexp.Regexp{ // each with a beginning that is looked for fast
		regexp.MustCompile(`world\.[a-z_]+`), regexp.MustCompile(`loss\.[a-z_]+`), regexp.MustCompile(`explain\.[a-z_]+`),
	}
	madeTable  = regexp.MustCompile(`\nCREATE OR REPLACE (TABLE|VIEW) (\S+) AS\n`)
	compared   = "\n-- Compared: "
	emptyEntry = regexp.MustCompile(`\n-- Empty if: (.*)\n`)
)

// stepOf reads a step's text; what it reads is what it names, in whatever place.
func stepOf(text string) *step {
	s := &step{text: text}
	if m := madeTable.FindStringSubmatch(text); m != nil {
		s.isView, s.makes = m[1] == "VIEW", m[2]
	}
	s.isCompared = strings.Contains(text, compared)
	if m := emptyEntry.FindStringSubmatch(text); m != nil {
		s.emptyIf = strings.Split(m[1], ", ")
	}
	seen := map[string]bool{s.makes: true}
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "--")
		for _, named := range namedTable {
			for _, t := range named.FindAllString(code, -1) {
				if !seen[t] {
					seen[t] = true
					s.reads = append(s.reads, t)
				}
			}
		}
	}
	return s
}

func (m *memo) step(name string) *step {
	s := m.steps[name]
	if s == nil {
		s = stepOf(query(name))
		m.steps[name] = s
	}
	return s
}

// changed tells that a table has other content.
func (m *memo) changed(table string) {
	m.last++
	m.version[table] = m.last
}

// signature is what a step would be made from, "" where that is not known.
func (m *memo) signature(reads []string, args []any) string {
	var b strings.Builder
	for _, t := range reads {
		v := m.version[t]
		if v == 0 {
			return ""
		}
		fmt.Fprintf(&b, "%d ", v)
	}
	fmt.Fprint(&b, args)
	return b.String()
}

// take runs a step, unless its table is there already.
func (m *memo) take(ctx context.Context, db *duck.DB, name string, args ...any) error {
	s := m.step(name)
	sig := m.signature(s.reads, args)
	if s.makes != "" && sig != "" && m.from[name] == sig {
		return nil
	}
	if m.staysEmpty(s) {
		m.from[name] = sig
		return nil
	}
	delete(m.from, name)
	n, err := db.ExecRows(ctx, s.text, args...)
	if err != nil {
		return fmt.Errorf("query %s: %w", name, duck.Brief(err))
	}
	isSame := n == 0 && m.rows[s.makes] == 0 && !s.isView
	if s.isCompared {
		if isSame, err = m.compare(ctx, db, s.makes); err != nil {
			return err
		}
	}
	if m.version[s.makes] == 0 || !isSame {
		m.changed(s.makes)
	}
	m.from[name], m.rows[s.makes] = sig, n
	return nil
}

// compare tells whether a table has the content that it had at the last call.
func (m *memo) compare(ctx context.Context, db *duck.DB, table string) (bool, error) {
	sum, err := duck.QueryOne[string](ctx, db, strings.ReplaceAll(query("whatif/checksum"), "{table}", table))
	if err != nil {
		return false, fmt.Errorf("query whatif/checksum on %s: %w", table, duck.Brief(err))
	}
	isSame := m.sums[table] == sum
	m.sums[table] = sum
	return isSame, nil
}

// staysEmpty tells whether a step's table is there, without a row, and would
// have none again.
func (m *memo) staysEmpty(s *step) bool {
	if m.version[s.makes] == 0 || m.rows[s.makes] > 0 {
		return false
	}
	for _, t := range s.emptyIf {
		if m.version[t] > 0 && m.rows[t] == 0 {
			return true
		}
	}
	return false
}

// content is the versions of tables, to be compared with later ones.
func (m *memo) content() map[string]int64 { return maps.Clone(m.version) }
