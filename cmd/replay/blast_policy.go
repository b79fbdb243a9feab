package main

import (
	"context"

	"tracereplay/replay"
)

// applyPolicy makes the world that under the policy asked for.
func (o *blastOptions) applyPolicy(ctx context.Context, env *Env, w *replay.World) error {
	if o.policy == "" {
		return nil
	}
	chain, err := replay.ParsePolicies(o.policy)
	if err != nil {
		return usagef("--policy %s: %v", o.policy, err)
	}
	applied, err := w.ApplyChain(ctx, chain, replay.LowEnd)
	if err != nil {
		return err
	}
	for i, a := range applied {
		if why := a.Refused(); why != "" {
			env.note("%s does not apply: %s", chain[i].Policy.Name, why)
		}
		for _, n := range a.Notes {
			env.note("%s: %s", chain[i].Policy.Name, n)
		}
		if chain[i].Policy.MovesWork {
			env.note("%s moves work in time, which is not in these figures", chain[i].Policy.Name)
		}
	}
	return nil
}
