package duck

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
)

// longestVariable is up to which length a text is bound as a variable. For a
// longer one, such as a table in JSON, it does not matter how often a statement
// is planned.
const longestVariable = 1 << 10

// parameterName is a parameter in a query. It must not stand in a quoted text.
var parameterName = regexp.MustCompile(`\$[0-9]+`)

// bind has the session's variables hold the short texts among args, and names
// them in the query. A statement with a text bound to a parameter is planned
// twice, which is most of its time on a small table: DuckDB 1.1 takes the text for
// a value of another type than the parameter's. A variable is a constant to the
// planner.
//
// Two queries at a time would use the same variables: db.binding is held until
// the query has been planned.
func (db *DB) bind(ctx context.Context, query string, args []any) (string, []any, error) {
	names := make([]string, len(args))
	var rest []any
	for i, a := range args {
		if text, ok := a.(string); ok && len(text) <= longestVariable {
			name := "text_" + strconv.Itoa(i+1)
			if err := db.setVariable(ctx, name, text); err != nil {
				return "", nil, err
			}
			names[i] = "getvariable('" + name + "')"
			continue
		}
		rest = append(rest, a)
		names[i] = "$" + strconv.Itoa(len(rest))
	}
	if len(rest) == len(args) {
		return query, args, nil
	}
	return parameterName.ReplaceAllStringFunc(query, func(p string) string {
		if n, err := strconv.Atoi(p[1:]); err == nil && 1 <= n && n <= len(names) {
			return names[n-1]
		}
		return p
	}), rest, nil
}

// setVariable sets a variable of the session, unless it has that value.
func (db *DB) setVariable(ctx context.Context, name, value string) error {
	if was, ok := db.variables[name]; ok && was == value {
		return nil
	}
	delete(db.variables, name)
	if _, err := db.conn.ExecContext(ctx, "SET VARIABLE "+name+" = $1", value); err != nil {
		return fmt.Errorf("binding a text: %w", err)
	}
	db.variables[name] = value
	return nil
}
