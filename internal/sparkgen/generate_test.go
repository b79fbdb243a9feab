package sparkgen_test

import (
	"bytes"
	"fmt"
	"testing"

	"tracereplay/internal/sparkgen"
)

const seeds = 600

func TestGenerateIsReadWithoutProblems(t *testing.T) {
	total := counter{}
	kinds := map[string]int{}
	for seed := range int64(seeds) {
		log, truth := sparkgen.Generate(seed, sparkgen.Options{})
		t.Run(fmt.Sprint(seed), func(t *testing.T) { record(t, log, total) })
		for _, l := range truth.Losses {
			kinds[l.Kind]++
		}
		if truth.Cut {
			kinds["cut"]++
		}
		for _, a := range truth.Attempts {
			if a.RepeatsOnly {
				kinds["attempt that repeats"]++
			}
		}
	}
	for _, table := range []string{"task", "resubmit", "fetch_failure", "block", "unpersist", "stage", "job"} {
		if total[table] == 0 {
			t.Errorf("%d seeds gave no row of %s", seeds, table)
		}
	}
	t.Log(total, kinds)
}

func TestGenerateIsDeterministic(t *testing.T) {
	for seed := range int64(50) {
		a, _ := sparkgen.Generate(seed, sparkgen.Options{})
		b, _ := sparkgen.Generate(seed, sparkgen.Options{})
		if !bytes.Equal(a, b) {
			t.Fatalf("seed %d gave two logs", seed)
		}
	}
}
