package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tracereplay/internal/duck"
)

// statement is one statement of a policy: CREATE TABLE next.NAME AS query.
type statement struct {
	table string
	text  string // all of it
	query string // what follows AS
}

// createLine is how a statement of a policy begins.
var createLine = regexp.MustCompile(`^(?i:CREATE\s+TABLE)\s+next\.([a-z][a-z0-9_]*)\s+(?i:AS)\s`)

// statements splits a policy's text. It need not understand SQL: what it takes
// for one query is read by DuckDB's own parser before it is run.
func statements(text string) ([]statement, error) {
	var out []statement
	for _, part := range splitSQL(text) {
		m := createLine.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("a policy has statements CREATE TABLE next.NAME AS SELECT ..., and no others: %s", firstLine(part))
		}
		out = append(out, statement{table: m[1], text: part, query: part[len(m[0]):]})
	}
	return out, nil
}

func firstLine(s string) string {
	line, _, isMore := strings.Cut(s, "\n")
	if isMore || len(line) > 80 {
		return line[:min(len(line), 80)] + " ..."
	}
	return line
}

// splitSQL cuts at semicolons outside of quotes and comments, and leaves out
// comments and blanks before a statement.
func splitSQL(text string) []string {
	var parts []string
	begin := -1
	for i := 0; i < len(text); {
		n := skipSQL(text[i:])
		switch {
		case strings.ContainsRune(" \t\r\n", rune(text[i])), strings.HasPrefix(text[i:], "--"), strings.HasPrefix(text[i:], "/*"):
		case text[i] == ';':
			if begin >= 0 {
				parts = append(parts, strings.TrimSpace(text[begin:i]))
			}
			begin = -1
		case begin < 0:
			begin = i
		}
		i += n
	}
	if begin >= 0 {
		parts = append(parts, strings.TrimSpace(text[begin:]))
	}
	return parts
}

// skipSQL is the length of the quote or comment that a text begins with, else 1.
func skipSQL(s string) int {
	end := func(open, closing string) int {
		if i := strings.Index(s[len(open):], closing); i >= 0 {
			return len(open) + i + len(closing)
		}
		return len(s)
	}
	switch {
	case strings.HasPrefix(s, "--"):
		return end("--", "\n")
	case strings.HasPrefix(s, "/*"):
		return end("/*", "*/")
	case s[0] == '\'':
		return end("'", "'")
	case s[0] == '"':
		return end(`"`, `"`)
	default:
		return 1
	}
}

// checkStatements compares what a policy makes with what its header says.
func (p *Policy) checkStatements() error {
	made := map[string]bool{}
	for _, s := range p.statements {
		if made[s.table] {
			return fmt.Errorf("next.%s is made twice", s.table)
		}
		made[s.table] = true
		if slices.Contains(rewriteTables(), s.table) && !slices.Contains(p.Rewrites, s.table) {
			return fmt.Errorf("it makes next.%s, but Rewrites does not list %s", s.table, s.table)
		}
	}
	for _, t := range p.Rewrites {
		if !made[t] {
			return fmt.Errorf("the entry Rewrites lists %s, but no statement makes next.%s", t, t)
		}
	}
	return nil
}

// tree is a query as DuckDB's parser understands it.
type tree struct {
	IsError    bool   `json:"error"`
	Message    string `json:"error_message"`
	Statements []any  `json:"statements"`
}

// reads is what a query reads.
type reads struct {
	tables    []tableName // but for the queries within it, where their names hold
	functions []string
	columns   map[string]bool
	forms     []string // ways of reading that no policy needs
}

type tableName struct{ catalog, schema, table string }

// examine has DuckDB parse a statement's query, and refuses what a policy may
// not do: a query may read the world, what the policy made before, its parameters,
// and nothing else. The parser is the one that runs it, so nothing gets by. It is
// parsed once, however often the policy is applied.
func (w *World) examine(ctx context.Context, p *Policy, s statement, made []string) (*reads, error) {
	if known, ok := w.shared.reads.Load(s.query); ok {
		r := known.(*reads)
		return r, r.refuse(p, made)
	}
	r, err := readsOf(ctx, w.db, s.query)
	if err != nil {
		return nil, err
	}
	w.shared.reads.Store(s.query, r)
	return r, r.refuse(p, made)
}

// readsOf has DuckDB parse a query.
func readsOf(ctx context.Context, db *duck.DB, text string) (*reads, error) {
	text, err := duck.QueryOne[string](ctx, db, query("whatif/parse"), text)
	if err != nil {
		return nil, err
	}
	var t tree
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return nil, err
	}
	switch {
	case t.IsError:
		return nil, errors.New(t.Message)
	case len(t.Statements) != 1:
		return nil, fmt.Errorf("%d queries where one was expected", len(t.Statements))
	}
	r := &reads{columns: map[string]bool{}}
	r.walk(t.Statements[0], nil)
	return r, nil
}

// walk collects what a query reads. names are those of queries before or around
// this node, in lower case: elsewhere the same name is that of a table.
func (r *reads) walk(node any, names []string) {
	switch n := node.(type) {
	case []any:
		for _, x := range n {
			r.walk(x, names)
		}
	case map[string]any:
		names = r.walkNames(n, names)
		r.note(n, names)
		for key, x := range n {
			if key != "cte_map" {
				r.walk(x, names)
			}
		}
	}
}

// walkNames looks into the queries that a node names, each of which knows those
// before it, and adds their names to what holds within the node.
func (r *reads) walkNames(n map[string]any, names []string) []string {
	m, _ := n["cte_map"].(map[string]any)
	list, _ := m["map"].([]any)
	for _, x := range list {
		named, _ := x.(map[string]any)
		r.walk(named["value"], names)
		names = append(names[:len(names):len(names)], strings.ToLower(textOf(named, "key")))
	}
	if name := textOf(n, "cte_name"); name != "" { // a query that reads itself
		names = append(names[:len(names):len(names)], strings.ToLower(name))
	}
	return names
}

func textOf(n map[string]any, key string) string { s, _ := n[key].(string); return s }

// note looks at one node of the tree.
func (r *reads) note(n map[string]any, names []string) {
	if n["sample"] != nil {
		r.functions = append(r.functions, "sample")
	}
	switch textOf(n, "type") {
	case "BASE_TABLE":
		t := tableName{textOf(n, "catalog_name"), textOf(n, "schema_name"), textOf(n, "table_name")}
		if t.catalog != "" || t.schema != "" || !slices.Contains(names, strings.ToLower(t.table)) {
			r.tables = append(r.tables, t)
		}
	case "SHOW_REF":
		r.forms = append(r.forms, "what SHOW and DESCRIBE tell")
	case "COLUMN_DATA", "DELIM_GET":
		r.forms = append(r.forms, textOf(n, "type"))
	case "TABLE_FUNCTION":
		f, _ := n["function"].(map[string]any)
		if name := textOf(f, "function_name"); !slices.Contains([]string{"range", "generate_series", "unnest"}, strings.ToLower(name)) {
			r.forms = append(r.forms, name+"()")
		}
	case "COLUMN_REF":
		r.noteColumn(n)
	}
	if name := textOf(n, "function_name"); name != "" {
		r.noteFunction(name, n)
	}
}

func (r *reads) noteColumn(n map[string]any) {
	path, _ := n["column_names"].([]any)
	if len(path) == 0 {
		return
	}
	last, _ := path[len(path)-1].(string)
	r.columns[last] = true
	if len(path) == 1 {
		r.functions = append(r.functions, last) // current_date and its like have no brackets
	}
}

func (r *reads) noteFunction(name string, n map[string]any) {
	args, _ := n["children"].([]any)
	if strings.EqualFold(name, "age") && len(args) == 1 {
		name = "age of today" // of two moments it is always the same
	}
	r.functions = append(r.functions, name)
}

// changing are functions whose answer is not the same each time, or that look
// outside: the same log must give the same figures. TestChanging compares with
// what DuckDB says of its functions.
var changing = []string{
	"random", "setseed", "uuid", "gen_random_uuid", "sample", "stats", "nextval", "currval", "query", "query_table",
	"now", "today", "age of today", "current_date", "current_time", "current_timestamp", "get_current_time", "get_current_timestamp",
	"current_localtime", "current_localtimestamp", "localtime", "localtimestamp", "transaction_timestamp", "txid_current",
	"getenv", "getvariable", "current_setting", "user_agent", "version", "get_block_size", "in_search_path",
	"user", "session_user", "current_user", "current_role", "current_query",
	"current_catalog", "current_database", "current_schema", "current_schemas",
	"pg_conf_load_time", "pg_postmaster_start_time", "pg_get_constraintdef", "pg_get_viewdef", "format_type",
}

// refuse tells what a query must not read.
func (r *reads) refuse(p *Policy, made []string) error {
	for _, t := range r.tables {
		if err := r.refuseTable(p, t, made); err != nil {
			return err
		}
	}
	if len(r.forms) > 0 {
		return fmt.Errorf("it reads %s: a policy reads world.*, next.* and param.value, and nothing else", r.forms[0])
	}
	for _, f := range r.functions {
		if slices.Contains(changing, strings.ToLower(f)) {
			return fmt.Errorf("%s is not allowed: the same log must give the same figures", f)
		}
	}
	return nil
}

func (r *reads) refuseTable(p *Policy, t tableName, made []string) error {
	name := strings.TrimLeft(t.catalog+"."+t.schema+"."+t.table, ".")
	switch {
	case t.catalog != "" || !slices.Contains([]string{"world", "next", "param"}, t.schema):
		return fmt.Errorf("it reads %s: a policy reads world.*, next.* and param.value, and nothing else", name)
	case t.schema == "world" && !slices.Contains(p.Inputs, t.table):
		return fmt.Errorf("it reads %s, but Inputs does not list it", name)
	case t.schema == "next" && !slices.Contains(made, t.table):
		return fmt.Errorf("it reads %s, which it has not made yet", name)
	}
	return nil
}
