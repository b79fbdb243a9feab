package replay

import (
	"math"

	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// fillPrice turns slot time into money. An hour of a spot machine has a price,
// and the slots of a machine share it. So a run costs its machines' hours, the
// hours that are bought on demand, what the policy costs in slot time, and what
// removals cost: rate x lives x (redone + what the policy costs at each removal).
// Slot time that is redone or held idle is taken as further hours of machines.
// Bytes have no price here.
func (c *comparison) fillPrice(o *result.Outcome) {
	price := c.opt.Price.V
	if o.MachineHours <= 0 || o.SlotHour <= 0 {
		return
	}
	slotHour := price.Spot * o.MachineHours / o.SlotHour
	fixed := price.Spot*o.MachineHours + hours(o.Of(MachineMs))*(price.OnDemand-price.Spot) + hours(o.Of(SlotMs))*slotHour
	removals := hours(float64(o.LifeMs)) // at a rate of 1 an hour
	perRate := (hours(o.PerRate.V) + removals*hours(o.Of(SlotMsPerRemoval))) * slotHour
	if r := c.opt.Rate; r.OK {
		o.Price = table.Some(fixed + r.V*perRate)
		// The cost of one removal varies about its mean and is independent of the others'.
		o.SdPrice = table.Some(hours(math.Sqrt(r.V*o.VariancePer.V)) * slotHour)
	}
	if saved := price.OnDemand*o.MachineHours - fixed; perRate > 0 {
		o.BreakEvenRate = table.Some(max(saved, 0) / perRate)
	}
}
