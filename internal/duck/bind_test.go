package duck

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type bound struct {
	A string `col:"a"`
	N int64  `col:"n"`
	B string `col:"b"`
}

// TestBind binds texts and numbers in any order: short texts, which become
// variables, and one that is too long for that; the same and others again.
func TestBind(t *testing.T) {
	ctx := t.Context()
	db := openMemory(t)
	long := strings.Repeat("x", longestVariable+1)
	for _, want := range []bound{
		{"it's", 1, `say "$1"`},
		{"it's", 2, "$2 and getvariable('text_1')"},
		{"", 3, "it's"},
		{"; DROP TABLE x --", 4, long},
		{long, 5, "é"},
	} {
		got, err := QueryOne[bound](ctx, db, "SELECT $1 AS a, $2::BIGINT AS n, $3 AS b -- $1, $2 and $3", want.A, want.N, want.B)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%v %s", err, d)
		}
	}
}

// TestBindBeside has goroutines bind texts in one session at the same time, and
// in another one.
func TestBindBeside(t *testing.T) {
	ctx := t.Context()
	db := openMemory(t)
	other, err := db.Session(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	var all sync.WaitGroup
	for i, s := range []*DB{db, db, other, other} {
		text := strings.Repeat("x", i+1)
		all.Go(func() {
			for range 200 {
				if got, err := QueryOne[string](ctx, s, "SELECT $1", text); err != nil || got != text {
					t.Errorf("%q, %v, want %q", got, err, text)
					return
				}
			}
		})
	}
	all.Wait()
}
