package duck

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// What a query of ours dies of is told in a line, without the query.
func TestBrief(t *testing.T) {
	db, err := Open(t.Context(), Memory, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	text := strings.Repeat("-- what the query is about\n", 20)
	for query, want := range map[string]string{
		"SELECT 1\n" + text + "FROM nowhere":                                           "Catalog Error: Table with name nowhere does not exist! Did you mean \"pg_indexes\"? (its line 22)",
		"SELECT\n" + text + "(i::VARCHAR || 'x')::INTEGER FROM range(3) t(i)\n" + text: "Conversion Error: Could not convert string '0x' to INT32 (its line 22)",
		"SELECT (i * 9223372036854775807)::INTEGER\n" + text + "FROM range(2, 4) t(i)": "Overflow in multiplication",
		"SELECT (SELECT i FROM range(3) t(i))\n" + text:                                "Invalid Input Error: More than one row",
	} {
		_, err := Query[int64](t.Context(), db, query)
		got := Brief(err).Error()
		if !strings.Contains(got, want) || strings.Contains(got, "\n") || strings.Contains(got, "what the query is about") || len(got) > longestMessage+40 {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if err := Brief(fmt.Errorf("query: %w", context.Canceled)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if Brief(nil) != nil {
		t.Error("no error is one")
	}
	for in, want := range map[string]string{
		"INTERNAL Error: x\n\nStack Trace:\n0 a\n1 b":    "INTERNAL Error: x",
		"Some Error: SELECT " + strings.Repeat("é", 400): "...",
	} {
		if got := brief(in); !strings.HasSuffix(got, want) || len(got) > longestMessage+4 {
			t.Errorf("%q", got)
		}
	}
}
