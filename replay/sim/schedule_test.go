package sim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadSchedule(t *testing.T) {
	for text, want := range map[string]int{
		"notice,gone,unit\n+5m,+7m,m3\n,83%,worker:4\n": 2,
		"+5m,+7m,m3":                  1,
		"# a comment\n02:14,02:16,m1": 1,
		"0,add,n1\n60000,remove,n1":   2,
		`[0,"add",{"nodes":["a","b"]}]` + "\n" + `[5,"no-op",{}]` + "\n" + `[9,"remove",{"nodes":["a"]}]`:                              3,
		`{"detail-type":"EC2 Spot Instance Interruption Warning","time":"2026-03-01T10:00:00Z","detail":{"instance-id":"i-1"}}`:        1,
		`[{"timestamp":"2026-03-01T10:00:00Z","protoPayload":{"methodName":"compute.instances.preempted","resourceName":"a/b/vm-1"}}]`: 1,
	} {
		got, err := ReadSchedule([]byte(text))
		if err != nil || len(got) != want {
			t.Errorf("%q: %d lines, %v", text, len(got), err)
		}
	}
	for _, text := range []string{"", "a,b", "+5m,,m3\n+5m,,m3", "x,remove,n1\ny,remove,n1", "{}", `{"detail-type":"Scheduled Event"}`, "[1,2]", "{"} {
		if got, err := ReadSchedule([]byte(text)); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// The public records and notices of withdrawals are read; the notices, made up
// for tests, lack a time or have one of long ago.
func TestPublicWithdrawals(t *testing.T) {
	dir := filepath.Join(corpus(t), "withdrawals")
	run := wide(1000, 2, 16)
	for _, path := range paths(t, dir) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list, err := ReadSchedule(data)
		switch name := filepath.Base(path); {
		case strings.HasPrefix(name, "gcp"):
			if err == nil || !strings.Contains(err.Error(), "no time") {
				t.Errorf("%s: %v", name, err)
			}
		case strings.HasPrefix(name, "aws"):
			if err != nil || len(list) != 1 || list[0].Unit != "i-0b662ef9931388ba0" || list[0].Gone.EpochMs != 120_000 {
				t.Errorf("%s: %+v %v", name, list, err)
			}
		default:
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			gone, back := Fleet(run, list)
			if len(gone) < 8 || len(back) < 4 {
				t.Errorf("%s: %d lines, %d removals, %d arrivals", name, len(list), len(gone), len(back))
			}
			res := New(run).Simulate(&Options{Removals: gone, Arrivals: back, ReplaceMs: -1, Cluster: Undisturbed})
			if res.Outcome != Done {
				t.Errorf("%s: %s", name, res.Outcome)
			}
		}
	}
}

func FuzzSchedule(f *testing.F) {
	f.Add([]byte("+5m,+7m,m3"))
	f.Add([]byte("0,add,n1\n60000,remove,n1"))
	f.Add([]byte(`[0,"add",{"nodes":["a","b"]}]`))
	f.Add([]byte(`{"detail-type":"EC2 Spot Instance Interruption Warning","time":"2026-03-01T10:00:00Z","resources":["arn:x/i-1"]}`))
	run := wide(100, 2, 4)
	f.Fuzz(func(t *testing.T, data []byte) {
		if list, err := ReadSchedule(data); err == nil {
			Fleet(run, list)
		}
	})
}
