package replay

import (
	"errors"
	"fmt"
	"strings"

	"tracereplay/replay/sim"
)

// SimPolicy sets what a policy changes in the simulator itself: how the engine
// behaves within a notice. Policies that rewrite a world are applied to it before
// it is loaded.
func SimPolicy(policy string, opt *sim.Options) error {
	for _, p := range strings.Split(policy, ",") {
		name, value, _ := strings.Cut(p, "=")
		switch name {
		case "recorded", "undisturbed":
		case "drain":
			opt.Drain = true
		case "move-output":
			opt.Drain = true
			rate := strings.TrimPrefix(value, "bandwidth=")
			var mib float64
			if _, err := fmt.Sscanf(rate, "%gMiB/s", &mib); err != nil || mib <= 0 {
				return errors.New("give its bandwidth, as move-output=100MiB/s")
			}
			opt.MoveBytesPerS = mib * (1 << 20)
		default:
			return fmt.Errorf("the simulator does not know it; it knows recorded, drain and move-output=RATE")
		}
	}
	return nil
}
