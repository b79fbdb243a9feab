package report_test

import (
	"os"
	"testing"

	"tracereplay/analysis"
	"tracereplay/cmd/replay/internal/report"
	"tracereplay/internal/reporttest"
)

func TestLook(t *testing.T) {
	dir := os.Getenv("LOOK")
	if dir == "" {
		t.Skip("set LOOK to a directory to look at the page")
	}
	s := reporttest.Size{Machines: 8, Rounds: 9, Bins: 200, RoundMs: 40_000}
	in := reporttest.Inputs(s)
	reporttest.Withdraw(in, s, 2, 5)
	if err := report.Write(dir, analysis.New(in)); err != nil {
		t.Fatal(err)
	}
}
