package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tracereplay/internal/duck"
	"tracereplay/internal/table"
)

// Applied is what a policy said when it was applied.
type Applied struct {
	Low, High []Cost // at both ends of what it assumes; the same when it assumes nothing
	Notes     []string
	Unfit     []Unfit
	Heirs     []Heir
	NeedsBoth bool // the world itself differs at the two ends, so that both have to be applied

	// A run may have as many removals as workers, and each is asked for.
	unfitOf map[int64][]int        // removal, 0 where none is named: places in Unfit
	heirsOf map[[2]string][]string // kind and unit
}

// Cost is one thing that a policy costs, or saves when it is negative.
type Cost struct {
	Kind  string  `col:"kind"`
	Value float64 `col:"value"`
	Unit  string  `col:"unit"`
}

// The units of a cost: of the run, or of each removal.
const (
	SlotMs           = "slot_ms"
	MachineMs        = "machine_ms"
	Bytes            = "bytes"
	SlotMsPerRemoval = "slot_ms_per_removal"
	BytesPerRemoval  = "bytes_per_removal"
)

// Unfit is what a policy does not apply to, and why: nothing at all, a kind of
// unit, or one recorded removal.
type Unfit struct {
	UnitKind table.Str `col:"unit_kind"`
	Removal  table.I64 `col:"removal"`
	Why      string    `col:"why"`
}

// Heir is a unit that took another's place, or a part of it.
type Heir struct {
	UnitKind string `col:"unit_kind"`
	Unit     string `col:"unit"`
	Heir     string `col:"heir"`
}

// Refused tells why the policy does not apply at all, "" if it does.
func (a *Applied) Refused() string {
	for _, i := range a.unfitOf[0] {
		if u := a.Unfit[i]; !u.UnitKind.OK {
			return u.Why
		}
	}
	return ""
}

// unfitFor tells why the policy does not apply to a kind of unit or to a
// removal, "" when it does: the first reason of several.
func (a *Applied) unfitFor(kind string, removal int64) string {
	found := len(a.Unfit)
	look := func(places []int) {
		for _, i := range places {
			if u := &a.Unfit[i]; i < found && (!u.UnitKind.OK || u.UnitKind.V == kind) {
				found = i
			}
		}
	}
	look(a.unfitOf[0])
	if removal > 0 {
		look(a.unfitOf[removal])
	}
	if found == len(a.Unfit) {
		return ""
	}
	return a.Unfit[found].Why
}

// index makes what is asked of each removal quick to find.
func (a *Applied) index() {
	a.unfitOf, a.heirsOf = map[int64][]int{}, map[[2]string][]string{}
	for i, u := range a.Unfit {
		if !u.Removal.OK || u.Removal.V > 0 {
			a.unfitOf[u.Removal.V] = append(a.unfitOf[u.Removal.V], i)
		}
	}
	for _, h := range a.Heirs {
		unit := [2]string{h.UnitKind, h.Unit}
		a.heirsOf[unit] = append(a.heirsOf[unit], h.Heir)
	}
}

// ApplyChain applies the policies of a chain from left to right. A policy that
// does not apply leaves the world as it is.
func (w *World) ApplyChain(ctx context.Context, c Chain, end End) ([]*Applied, error) {
	var all []*Applied
	for _, s := range c {
		a, err := w.Apply(ctx, s, end)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// Apply rewrites the world by a policy, at one end of what it assumes. After an
// error the world may be broken: open it anew.
func (w *World) Apply(ctx context.Context, s Step, end End) (_ *Applied, err error) {
	p := s.Policy
	defer func() {
		if err != nil {
			err = fmt.Errorf("policy %s: %w", p.Name, err)
		}
		err = errors.Join(err, w.forget(context.WithoutCancel(ctx), p))
	}()
	if err := s.Args.check(p); err != nil {
		return nil, err
	}
	if err := w.provide(ctx, p); err != nil {
		return nil, err
	}
	if err := run(ctx, w.db, []string{"whatif/open"}); err != nil {
		return nil, err
	}
	if err := w.setParams(ctx, s, end); err != nil {
		return nil, err
	}
	readers, err := w.runStatements(ctx, p)
	if err != nil {
		return nil, err
	}
	a, err := w.heard(ctx, p)
	if err != nil {
		return nil, err
	}
	a.NeedsBoth = !onlyCosts(s, readers)
	if a.High, err = w.costsAt(ctx, s, a); err != nil {
		return nil, err
	}
	if a.Refused() != "" { // what it would cost is of no interest
		return &Applied{Unfit: a.Unfit, unfitOf: a.unfitOf}, nil
	}
	return a, w.swap(ctx, p)
}

// forget drops the tables that a policy has made.
func (w *World) forget(ctx context.Context, p *Policy) error {
	for _, s := range p.statements {
		if err := w.onTable(ctx, "whatif/forget", s.table, ""); err != nil {
			return err
		}
	}
	return nil
}

// provide makes the derived tables that a policy reads.
func (w *World) provide(ctx context.Context, p *Policy) error {
	reads := func(names []string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(p.Inputs, n) })
	}
	if reads(blameTables()) {
		if err := w.blame(ctx); err != nil {
			return err
		}
	}
	if reads([]string{"lane", "place"}) {
		return w.lanes(ctx)
	}
	return nil
}

// blame makes the tables of the log's removals, unless they are there.
func (w *World) blame(ctx context.Context) (err error) {
	if w.isBlamed {
		return nil
	}
	if err := run(ctx, w.db, []string{"explain/open"}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run(context.WithoutCancel(ctx), w.db, []string{"explain/close"})) }()
	if err := run(ctx, w.db, explainSteps(), w.app); err != nil {
		return err
	}
	for _, t := range blameTables() {
		if err := run(ctx, w.db, []string{"whatif/" + t}, w.app); err != nil {
			return err
		}
	}
	w.isBlamed = true
	return nil
}

// setParams writes the parameters' table. Its columns differ by policy, and no
// name is ever pasted into SQL: DuckDB makes them from a JSON object.
func (w *World) setParams(ctx context.Context, s Step, end End) error {
	values, types, err := s.Policy.values(s.Args, end)
	if err != nil {
		return err
	}
	valueText, err := json.Marshal(values)
	if err != nil {
		return err
	}
	typeText, err := json.Marshal(types)
	if err != nil {
		return err
	}
	return run(ctx, w.db, []string{"whatif/param"}, string(valueText), string(typeText))
}

// runStatements examines the policy's statements and runs them. It tells which
// parameters each table was made with.
func (w *World) runStatements(ctx context.Context, p *Policy) (readers map[string][]string, err error) {
	readers = map[string][]string{}
	var made []string
	for _, s := range p.statements {
		r, err := w.examine(ctx, p, s, made)
		if err != nil {
			return nil, fmt.Errorf("table next.%s: %w", s.table, err)
		}
		for _, x := range p.Params {
			if r.columns[x.Name] {
				readers[x.Name] = append(readers[x.Name], s.table)
			}
		}
		if err := w.db.Exec(ctx, s.text); err != nil {
			return nil, fmt.Errorf("table next.%s: %w", s.table, err)
		}
		made = append(made, s.table)
	}
	return readers, nil
}

// heard reads what a policy has to say.
func (w *World) heard(ctx context.Context, p *Policy) (*Applied, error) {
	a := &Applied{}
	var err error
	for _, s := range p.statements {
		switch s.table {
		case "cost":
			a.Low, err = rows[Cost](ctx, w.db, "whatif/costs")
		case "note":
			a.Notes, err = rows[string](ctx, w.db, "whatif/notes")
		case "unfit":
			a.Unfit, err = rows[Unfit](ctx, w.db, "whatif/unfit")
		case "heir":
			a.Heirs, err = rows[Heir](ctx, w.db, "whatif/heirs")
		}
		if err != nil {
			return nil, fmt.Errorf("table next.%s: %w", s.table, err)
		}
	}
	a.index()
	return a, nil
}

// costsAt works the costs out at the other end of what a policy assumes, when
// nothing but the costs depends on it. It leaves the parameters at that end.
func (w *World) costsAt(ctx context.Context, s Step, a *Applied) ([]Cost, error) {
	if len(s.Policy.assumes(s.Args)) == 0 || a.NeedsBoth {
		return a.Low, nil
	}
	if err := w.setParams(ctx, s, HighEnd); err != nil {
		return nil, err
	}
	for _, t := range s.Policy.statements {
		if t.table != "cost" {
			continue
		}
		if err := w.onTable(ctx, "whatif/forget", t.table, ""); err != nil {
			return nil, err
		}
		if err := w.db.Exec(ctx, t.text); err != nil {
			return nil, err
		}
		return rows[Cost](ctx, w.db, "whatif/costs")
	}
	return a.Low, nil
}

// onlyCosts tells whether what a policy assumes enters into its costs alone.
func onlyCosts(s Step, readers map[string][]string) bool {
	for _, x := range s.Policy.assumes(s.Args) {
		for _, t := range readers[x.Name] {
			if t != "cost" {
				return false
			}
		}
	}
	return true
}

// swap makes the next world's tables the world's, and checks what every world
// keeps, unless the policy comes with the program: on a large run the check takes
// as long as some policies do.
func (w *World) swap(ctx context.Context, p *Policy) error {
	if len(p.Rewrites) == 0 {
		return nil
	}
	w.isReady = false
	for _, t := range p.Rewrites {
		had, err := w.shape(ctx, t)
		if err != nil {
			return err
		}
		if err := w.checkColumns(ctx, p, t, had); err != nil {
			return err
		}
		w.memo.changed("world." + t)
		move := strings.ReplaceAll(tableQuery("whatif/swap", t, ""), "{columns}", had.selected())
		if err := w.db.Exec(ctx, move); err != nil {
			return fmt.Errorf("table next.%s: %w", t, duck.Brief(err))
		}
	}
	if !p.isShipped {
		if err := w.CheckContract(ctx); err != nil {
			return err
		}
	}
	if slices.Contains(p.Rewrites, "rules") {
		spans, err := rows[Span](ctx, w.db, "world/span")
		if err != nil {
			return err
		}
		w.span = spans[0]
	}
	return nil
}

// onTable runs a query that is written for any table of a world.
func (w *World) onTable(ctx context.Context, name, tableName, worldName string) error {
	if err := w.db.Exec(ctx, tableQuery(name, tableName, worldName)); err != nil {
		return fmt.Errorf("query %s on %s: %w", name, tableName, duck.Brief(err))
	}
	return nil
}

// tableQuery is a query about one table. Names come from the lists of this
// package, or are what createLine takes for one: small letters, digits and _.
func tableQuery(name, tableName, worldName string) string {
	return strings.NewReplacer("{table}", tableName, "{world}", worldName).Replace(query(name))
}

// tableColumn is a column of a table of a world, and DuckDB's name of its type.
type tableColumn struct{ name, kind string }

type tableColumns []tableColumn

func (c tableColumns) names() []string {
	out := make([]string, len(c))
	for i := range c {
		out[i] = c[i].name
	}
	return out
}

// selected is a list for a query: the columns, cast to their types.
func (c tableColumns) selected() string {
	out := make([]string, len(c))
	for i := range c {
		out[i] = duck.Quote(c[i].name) + "::" + c[i].kind + " AS " + duck.Quote(c[i].name)
	}
	return strings.Join(out, ", ")
}

// shape is the columns of a table of the world.
func (w *World) shape(ctx context.Context, t string) (tableColumns, error) {
	if known, ok := w.shared.shapes.Load(t); ok {
		return known.(tableColumns), nil
	}
	c, err := w.columns(ctx, t, "world")
	if err != nil {
		return nil, err
	}
	w.shared.shapes.Store(t, c)
	return c, nil
}

// checkColumns tells how the columns of a table of the next world differ from
// those of the world's. What a policy of the program makes is looked at once.
func (w *World) checkColumns(ctx context.Context, p *Policy, t string, had tableColumns) error {
	key := p.Name + "." + t
	if _, ok := w.shared.checked.Load(key); ok && p.isShipped {
		return nil
	}
	has, err := w.columns(ctx, t, "next")
	if err != nil {
		return err
	}
	var parts []string
	if besides := without(has.names(), had.names()); len(besides) > 0 {
		parts = append(parts, "has besides "+strings.Join(besides, ", "))
	}
	if lacks := without(had.names(), has.names()); len(lacks) > 0 {
		parts = append(parts, "lacks "+strings.Join(lacks, ", "))
	}
	if len(parts) == 0 {
		w.shared.checked.Store(key, nil)
		return nil
	}
	return fmt.Errorf("table next.%s %s: its columns are those of world.%s", t, strings.Join(parts, " and "), t)
}

func (w *World) columns(ctx context.Context, t, world string) (_ tableColumns, err error) {
	rows, err := w.db.Rows(ctx, tableQuery("whatif/shape", t, world))
	if err != nil {
		return nil, fmt.Errorf("query whatif/shape on %s.%s: %w", world, t, duck.Brief(err))
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	out := make(tableColumns, len(types))
	for i, c := range types {
		out[i] = tableColumn{c.Name(), c.DatabaseTypeName()}
	}
	return out, nil
}

// without are the elements of a that b lacks, sorted.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Sorted(slices.Values(a)), func(x string) bool { return slices.Contains(b, x) })
}

// BrokenRule is something that every world keeps and this one does not.
type BrokenRule struct {
	Table   string `col:"table_name"`
	Rule    string `col:"rule"`
	Rows    int64  `col:"rows"`
	Example string `col:"example"`
}

// ContractError lists the rules that a world breaks.
type ContractError []BrokenRule

func (e ContractError) Error() string {
	var parts []string
	for _, b := range e {
		parts = append(parts, fmt.Sprintf("table %s: %s: broken by %d, such as %s", b.Table, b.Rule, b.Rows, b.Example))
	}
	return strings.Join(parts, "\n")
}

// CheckContract tests what every world keeps: keys, references, order of times.
func (w *World) CheckContract(ctx context.Context) error {
	broken, err := rows[BrokenRule](ctx, w.db, "whatif/contract")
	if err != nil {
		return err
	}
	if len(broken) > 0 {
		return ContractError(broken)
	}
	return nil
}

// keep stores the world under a name, and restore brings it back.
func (w *World) keep(ctx context.Context, name string) error {
	for _, t := range rewriteTables() {
		if err := w.onTable(ctx, "whatif/keep", t, name); err != nil {
			return err
		}
	}
	w.kept[name] = w.memo.content()
	return nil
}

func (w *World) restore(ctx context.Context, name string) error {
	w.isReady = false
	for _, t := range rewriteTables() {
		is, was := &w.memo, w.kept[name]["world."+t]
		if was != 0 && is.version["world."+t] == was {
			continue
		}
		is.changed("world." + t)
		if err := w.onTable(ctx, "whatif/restore", t, name); err != nil {
			return err
		}
		if was != 0 {
			is.version["world."+t] = was
		}
	}
	spans, err := rows[Span](ctx, w.db, "world/span")
	if err == nil {
		w.span = spans[0]
	}
	return err
}
