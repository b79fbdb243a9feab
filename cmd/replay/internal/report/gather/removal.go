package gather

import (
	"context"

	"tracereplay/replay/result"
)

// removals asks what the recorded removals cost.
func (g *gatherer) removals(ctx context.Context) (err error) {
	if g.in.Removals, err = rows[result.Removal](ctx, g.db, "removal", g.app); err != nil {
		return err
	}
	g.in.Links, err = rows[result.ChainLink](ctx, g.db, "chain_link", g.app)
	return err
}
