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
	names     map[string]bool // of queries within it
	tables    []tableName
	functions []string
	columns   map[string]bool
	forms     []string // ways of reading that no policy needs
}

type tableName struct{ catalog, schema, table string }

// examine has DuckDB parse a statement's query, and refuses what a policy may
// not do: a query may read the world, what the policy made before, its parameters,
// and nothing else. The parser is the one that runs it, so nothing gets by.
func (p *Policy) examine(ctx context.Context, db *duck.DB, s statement, made []string) (*reads, error) {
	text, err := duck.QueryOne[string](ctx, db, query("whatif/parse"), s.query)
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
	r := &reads{names: map[string]bool{}, columns: map[string]bool{}}
	r.walk(t.Statements[0])
	return r, r.refuse(p, made)
}

// walk collects what a query reads.
func (r *reads) walk(node any) {
	switch n := node.(type) {
	case []any:
		for _, x := range n {
			r.walk(x)
		}
	case map[string]any:
		r.note(n)
		for _, x := range n {
			r.walk(x)
		}
	}
}

// note looks at one node of the tree.
func (r *reads) note(n map[string]any) {
	text := func(key string) string { s, _ := n[key].(string); return s }
	if name := text("cte_name"); name != "" {
		r.names[name] = true
	}
	if m, ok := n["cte_map"].(map[string]any); ok {
		r.noteNames(m)
	}
	switch text("type") {
	case "BASE_TABLE":
		r.tables = append(r.tables, tableName{text("catalog_name"), text("schema_name"), text("table_name")})
	case "SHOW_REF", "COLUMN_DATA", "DELIM_GET":
		r.forms = append(r.forms, text("type"))
	case "TABLE_FUNCTION":
		if f, ok := n["function"].(map[string]any); ok {
			name, _ := f["function_name"].(string)
			if !slices.Contains([]string{"range", "generate_series", "unnest"}, name) {
				r.forms = append(r.forms, name+"()")
			}
		}
	case "COLUMN_REF":
		if path, ok := n["column_names"].([]any); ok && len(path) > 0 {
			last, _ := path[len(path)-1].(string)
			r.columns[last] = true
			if len(path) == 1 {
				r.functions = append(r.functions, last) // current_date and its like have no brackets
			}
		}
	}
	if name := text("function_name"); name != "" {
		r.functions = append(r.functions, name)
	}
}

func (r *reads) noteNames(m map[string]any) {
	list, _ := m["map"].([]any)
	for _, x := range list {
		if kv, ok := x.(map[string]any); ok {
			if name, ok := kv["key"].(string); ok {
				r.names[name] = true
			}
		}
	}
}

// changing are functions whose answer is not the same each time, or that look
// outside: the same log must give the same figures.
var changing = []string{
	"random", "setseed", "uuid", "gen_random_uuid", "now", "today", "current_date", "current_time", "current_timestamp", "get_current_time",
	"get_current_timestamp", "localtime", "localtimestamp", "transaction_timestamp", "txid_current", "getenv", "getvariable", "current_setting",
	"nextval", "currval", "current_user", "current_query", "current_database", "current_schema", "current_schemas", "version", "query", "query_table",
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
	case t.catalog == "" && t.schema == "" && r.names[t.table]:
		return nil
	case t.catalog != "" || !slices.Contains([]string{"world", "next", "param"}, t.schema):
		return fmt.Errorf("it reads %s: a policy reads world.*, next.* and param.value, and nothing else", name)
	case t.schema == "world" && !slices.Contains(p.Inputs, t.table):
		return fmt.Errorf("it reads %s, but Inputs does not list it", name)
	case t.schema == "next" && !slices.Contains(made, t.table):
		return fmt.Errorf("it reads %s, which it has not made yet", name)
	}
	return nil
}
