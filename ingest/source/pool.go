package source

import "sync"

// pool keeps the buffers of one reader. It is a plain stack: a sync.Pool gives
// its buffers up at every collection, just when they are wanted again.
type pool struct {
	mu   sync.Mutex
	free [][]byte
	max  int // larger buffers, grown for one long line, are not kept
}

const poolKeep = 6

// get returns an empty buffer with room for at least n bytes, and for no more
// than that if it is new.
func (p *pool) get(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.free) - 1; i >= 0; i-- {
		if b := p.free[i]; cap(b) >= n {
			p.free = append(p.free[:i], p.free[i+1:]...)
			return b[:0]
		}
	}
	return make([]byte, 0, n)
}

func (p *pool) put(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cap(b) > p.max || len(p.free) >= poolKeep {
		return
	}
	p.free = append(p.free, b[:0])
}
