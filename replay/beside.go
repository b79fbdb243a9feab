package replay

import (
	"context"
	"errors"
	"sync"

	"tracereplay/internal/duck"
)

// part is a part of some work: it makes a table from others, or finds something
// out about them.
type part struct {
	*step
	do func(context.Context, *duck.DB) error
}

// partOf runs a file of directory sql.
func partOf(name string, args ...any) part {
	return part{stepOf(query(name)), func(ctx context.Context, db *duck.DB) error { return run(ctx, db, []string{name}, args...) }}
}

// takeParts takes parts in several sessions of a database side by side: each as
// soon as what it reads is there, in the order given where there is a choice.
func takeParts(ctx context.Context, sessions []*duck.DB, parts []part) error {
	c := &crew{left: parts, missing: map[string]bool{}}
	c.changed = sync.NewCond(&c.mu)
	for _, p := range parts {
		c.missing[p.makes] = p.makes != ""
	}
	var all sync.WaitGroup
	for _, db := range sessions {
		all.Go(func() { c.work(ctx, db) })
	}
	all.Wait()
	return c.err
}

// crew is the sessions that take parts.
type crew struct {
	mu      sync.Mutex
	changed *sync.Cond
	left    []part          // not begun
	missing map[string]bool // tables that are not made yet
	busy    int             // sessions at work
	err     error           // the first: nothing is begun after it
}

func (c *crew) work(ctx context.Context, db *duck.DB) {
	for {
		p, ok := c.next()
		if !ok {
			return
		}
		c.finish(p, p.do(ctx, db))
	}
}

// next waits for a part that can be taken; there is none once all are begun.
func (c *crew) next() (part, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for i, p := range c.left {
			if c.err == nil && c.isReady(p) {
				c.left = append(c.left[:i:i], c.left[i+1:]...)
				c.busy++
				return p, true
			}
		}
		switch {
		case c.err != nil || len(c.left) == 0:
			return part{}, false
		case c.busy == 0:
			c.err = errors.New("parts that wait for each other")
			return part{}, false
		}
		c.changed.Wait()
	}
}

func (c *crew) isReady(p part) bool {
	for _, t := range p.reads {
		if c.missing[t] {
			return false
		}
	}
	return true
}

func (c *crew) finish(p part, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy--
	c.missing[p.makes] = false
	if c.err == nil {
		c.err = err
	}
	c.changed.Broadcast()
}
