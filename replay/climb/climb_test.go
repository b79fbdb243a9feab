package climb_test

import (
	"slices"
	"strings"
	"testing"

	"tracereplay/replay/climb"
)

// TestChain: dataset 3 is made from 2, that from 1. Unit 7 loses a piece of 3 in
// [10, 40), of 2 in [20, 30) and [35, 60), of 1 always; only 3 is needed by
// itself, in [10, 50): so 2 follows it while both last, and 1 follows 2. In
// [38, 45) a piece of 2 stands nowhere, but nothing calls for it after 40.
func TestChain(t *testing.T) {
	seven := climb.Key{Unit: 7}
	rows, err := climb.Active(&climb.Run{
		Datasets: []int64{1, 2, 3},
		Inputs:   [][2]int64{{2, 1}, {3, 2}},
		Start:    map[int64]climb.Spans{3: {seven: {{From: 10, To: 25}, {From: 25, To: 40}}}},
		Lost:     map[int64]climb.Spans{1: {seven: {{From: 0, To: 100}}}, 2: {seven: {{From: 20, To: 30}, {From: 35, To: 60}}}, 3: {seven: {{From: 10, To: 40}}}},
		Holes:    map[int64][]climb.Span{2: {{From: 38, To: 45}}},
	})
	want := []climb.Row{
		{3, seven, climb.Span{From: 10, To: 40}},
		{2, seven, climb.Span{From: 20, To: 30}},
		{2, seven, climb.Span{From: 35, To: 40}},
		{1, seven, climb.Span{From: 20, To: 30}},
		{1, seven, climb.Span{From: 35, To: 40}},
	}
	if err != nil || !slices.Equal(rows, want) {
		t.Errorf("%v, %v; want %v", rows, err, want)
	}
}

// TestRepairUnderWay: dataset 2 is needed and has holes, whatever is lost
// (NoUnit); of its input 1, each unit's pieces are needed while that lasts.
func TestRepairUnderWay(t *testing.T) {
	none, a, b := climb.Key{Unit: climb.NoUnit}, climb.Key{Unit: 1}, climb.Key{Unit: 2, IsLow: true}
	rows, err := climb.Active(&climb.Run{
		Datasets: []int64{1, 2},
		Inputs:   [][2]int64{{2, 1}},
		Start:    map[int64]climb.Spans{2: {none: {{From: 10, To: 20}}}},
		Lost:     map[int64]climb.Spans{1: {a: {{From: 0, To: 15}}, b: {{From: 0, To: 15}}}},
	})
	want := []climb.Row{{2, none, climb.Span{From: 10, To: 20}}, {1, a, climb.Span{From: 10, To: 15}}}
	if err != nil || !slices.Equal(rows, want) {
		t.Errorf("%v, %v; want %v", rows, err, want)
	}
}

func TestCycle(t *testing.T) {
	_, err := climb.Active(&climb.Run{Datasets: []int64{1, 2, 3}, Inputs: [][2]int64{{1, 2}, {2, 1}, {3, 1}}})
	if err == nil || !strings.Contains(err.Error(), "cycle: 1 of 3") {
		t.Errorf("error %v", err)
	}
}
