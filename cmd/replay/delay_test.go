package main

import (
	"strconv"
	"strings"
	"testing"
)

// TestExplainDelay: every recorded loss of the bundled logs has a delay, or the
// reason why it has none.
func TestExplainDelay(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"linear-exit": "", "linear-withdrawal": "", "linear-silent": "", "linear-repair-hit": "", "diamond-withdrawal": "", "cached-withdrawal": "",
		"reuse-withdrawal": "", "sql-withdrawal": "", "twice-withdrawal": "", "service-withdrawal": "",
		"idle-release":            "given back by choice",
		"stream-count-withdrawal": "paced",
	} {
		t.Run(name, func(t *testing.T) {
			all := csvOf(t, "explain", "../../sampletraces/"+name+".zstd")
			if len(all) == 0 {
				t.Fatal("no removal")
			}
			for _, r := range all {
				switch {
				case want != "" && (r["delay_ms"] != "" || !strings.Contains(r["delay_reason"], want)):
					t.Errorf("delay %q, reason %q, want a reason with %q", r["delay_ms"], r["delay_reason"], want)
				case want == "" && r["delay_reason"] != "":
					t.Errorf("no delay: %s", r["delay_reason"])
				case want == "":
					// These losses hit at a half to three quarters of a run of half a minute.
					if ms, err := strconv.Atoi(r["delay_ms"]); err != nil || ms < 500 || ms > 60_000 {
						t.Errorf("delay %q ms", r["delay_ms"])
					}
				}
			}
		})
	}
}

// TestValidateDelay predicts the delay of a lost executor from an undisturbed
// run of the same job, within the wide limits that two runs on a busy box allow.
func TestValidateDelay(t *testing.T) {
	t.Parallel()
	all := csvOf(t, "validate", "../../sampletraces/linear-exit.zstd", "--base", "../../sampletraces/linear-twin.zstd")
	if len(all) != 1 {
		t.Fatalf("%d rows", len(all))
	}
	var v [4]float64
	for i, name := range []string{"predicted_delay_p10_ms", "predicted_delay_p50_ms", "predicted_delay_p90_ms", "actual_delay_ms"} {
		var err error
		if v[i], err = strconv.ParseFloat(all[0][name], 64); err != nil {
			t.Fatalf("%s is %q", name, all[0][name])
		}
	}
	if v[0] > v[1] || v[1] > v[2] || v[0] <= 0 {
		t.Errorf("quantiles %v", v[:3])
	}
	if v[1] < v[3]/3 || v[1] > 3*v[3] {
		t.Errorf("predicted %.0f ms, was %.0f ms", v[1], v[3])
	}
}
