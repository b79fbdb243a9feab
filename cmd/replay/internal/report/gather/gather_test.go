package gather

import (
	"context"
	"fmt"
	"testing"

	"tracereplay/analysis"
	"tracereplay/internal/duck"
)

// memory is a database with a few rows of what a query reads.
func memory(t *testing.T, statements ...string) *duck.DB {
	t.Helper()
	db, err := duck.Open(context.Background(), duck.Memory, duck.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, s := range statements {
		if err := db.Exec(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// Two workers over 40 ms in four bins. Worker 1 is busy for 15 ms, then idle
// with output that is needed until 25, then gone. Worker 2 is free from 10 on.
//
//	bin        0     1     2     3
//	worker 1   busy  b/i   i/-   -
//	worker 2   -     free  free  free
func TestStates(t *testing.T) {
	db := memory(t, `CREATE TABLE worker_state AS FROM (VALUES
		('a', '1', 100, 115, 'busy'), ('a', '1', 115, 125, 'idle_owing'), ('a', '2', 110, 140, 'free'), ('b', '1', 100, 140, 'busy')
	) v(app, worker, from_ms, to_ms, state)`)
	got, err := rows[stateRow](context.Background(), db, "state", "a", int64(100), int64(140), int64(4))
	if err != nil {
		t.Fatal(err)
	}
	want := []stateRow{
		{Bin: 0, Busy: 1}, {Bin: 1, Busy: 0.5, IdleOwing: 0.5, Free: 1}, {Bin: 2, IdleOwing: 0.5, Free: 1}, {Bin: 3, Free: 1},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// Shuffle 1 has two outputs of 100 bytes: on m1 from 0 on, on m2 from 10 to 30.
// It is needed until 20, and again from 30 to 40. Cache 2 has a block of 50
// bytes on a worker whose machine is not known, from 20 on. Bins of 10 ms, looked
// at in their middle: 5, 15, 25, 35.
func TestHoldings(t *testing.T) {
	db := memory(
		t,
		`CREATE TABLE dataset AS FROM (VALUES ('a', 1, 'shuffle'), ('a', 2, 'cache')) v(app, dataset, kind)`,
		`CREATE TABLE output AS FROM (VALUES ('a', 1, 1, 100), ('a', 2, 1, 100), ('a', 3, 2, 50), ('a', 4, 1, NULL)) v(app, output, dataset, bytes)`,
		`CREATE TABLE holder AS FROM (VALUES ('a', 'worker:1', 'm1'), ('a', 'worker:2', 'm2'), ('a', 'worker:3', NULL)) v(app, holder, machine)`,
		`CREATE TABLE residence AS FROM (VALUES
			('a', 1, 'worker:1', 0, NULL), ('a', 2, 'worker:2', 10, 30), ('a', 3, 'worker:3', 20, NULL), ('a', 4, 'worker:1', 0, NULL)
		) v(app, output, holder, from_ms, to_ms)`,
		`CREATE TABLE need AS FROM (VALUES ('a', 1, NULL, 15), ('a', 1, NULL, 20), ('a', 1, 30, 40)) v(app, dataset, from_ms, until_ms)`,
	)
	got, err := rows[holdingRow](context.Background(), db, "holding", "a", int64(0), int64(40), int64(4))
	if err != nil {
		t.Fatal(err)
	}
	want := []holdingRow{
		{Place: "m1", Bin: 0, Needed: 100},
		{Place: "m1", Bin: 1, Needed: 100},
		{Place: "m1", Bin: 2, Done: 100},
		{Place: "m1", Bin: 3, Needed: 100},
		{Place: "m2", Bin: 1, Needed: 100},
		{Place: "m2", Bin: 2, Done: 100},
		{Place: "worker:3", Bin: 2, Cached: 50},
		{Place: "worker:3", Bin: 3, Cached: 50},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// A narrow view of a long run still has bins enough, and never too many.
func TestWholeBins(t *testing.T) {
	for _, c := range []struct {
		run, from, to int64
		want          int
	}{
		{1_000_000, 0, 0, 200},
		{1_000_000, 400_000, 500_000, 2000},
		{1_000_000, 400_000, 400_100, 4000},
		{50, 0, 0, 50},
	} {
		g := gatherer{in: inputsOf(c.run, c.from, c.to)}
		if got := g.wholeBins(); got != c.want {
			t.Errorf("%+v: %d bins", c, got)
		}
	}
}

func inputsOf(run, from, to int64) *analysis.Inputs {
	return &analysis.Inputs{App: analysis.App{FromMs: 0, ToMs: run}, View: analysis.View{FromMs: from, ToMs: to}}
}
