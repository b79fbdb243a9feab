package policies

import (
	"fmt"
	"math"
	"strings"

	"tracereplay/internal/human"
	"tracereplay/replay/result"
)

// Amount is a cost in words.
func Amount(c result.PolicyCost) string {
	v := math.Abs(c.Value)
	switch c.Unit {
	case "slot_ms":
		return human.Duration(int64(math.Round(v))) + " of slot time"
	case "slot_ms_per_removal":
		return human.Duration(int64(math.Round(v))) + " of slot time with each removal"
	case "machine_ms":
		return human.Duration(int64(math.Round(v))) + " of machine time"
	case "bytes":
		return human.Bytes(int64(math.Round(v)))
	case "bytes_per_removal":
		return human.Bytes(int64(math.Round(v))) + " with each removal"
	default:
		return human.Number(v) + " " + c.Unit
	}
}

// CostName is a cost's kind in words.
func CostName(c result.PolicyCost) string { return strings.ReplaceAll(c.Kind, "_", " ") }

// CostsOf are all costs of an outcome in a few words, for a table.
func CostsOf(o result.Outcome) string {
	var parts []string
	for _, c := range o.Costs {
		sign := ""
		if c.Value < 0 {
			sign = "saves "
		}
		parts = append(parts, fmt.Sprintf("%s %s%s", CostName(c), sign, Amount(c)))
	}
	return strings.Join(parts, ", ")
}

// costs are what a policy costs, at both ends of what it assumes. The costs are
// those of the policy whatever is lost, so the first kind of unit will do.
func costs(group []result.Outcome) string {
	var ends []result.Outcome
	for _, o := range group {
		if o.Applies && (len(ends) == 0 || o.UnitKind == ends[0].UnitKind) {
			ends = append(ends, o)
		}
	}
	if len(ends) == 0 || len(ends[0].Costs) == 0 {
		return ""
	}
	var pays, saves []string
	for i, c := range ends[0].Costs {
		last := c
		if end := ends[len(ends)-1].Costs; i < len(end) {
			last = end[i]
		}
		text := fmt.Sprintf("%s (%s)", between(c, last), CostName(c))
		if c.Value < 0 && last.Value <= 0 {
			saves = append(saves, text)
		} else {
			pays = append(pays, text)
		}
	}
	var parts []string
	if len(pays) > 0 {
		parts = append(parts, "It costs "+strings.Join(pays, ", ")+".")
	}
	if len(saves) > 0 {
		parts = append(parts, "It saves "+strings.Join(saves, ", ")+".")
	}
	return strings.Join(parts, " ")
}

// between is a cost at both ends of an assumption.
func between(low, high result.PolicyCost) string {
	switch {
	case low.Value == high.Value || Amount(low) == Amount(high) && low.Value*high.Value >= 0:
		return Amount(low)
	case low.Value < 0 && high.Value > 0:
		return "between " + Amount(low) + " saved and " + Amount(high)
	default:
		return "between " + Amount(low) + " and " + Amount(high)
	}
}
