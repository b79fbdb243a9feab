package sim

// A queue key is the time in ms above payloadBits, and what happens below. One
// comparison orders by time, and at one instant by payload, so that the order
// of events is total and the same in every run.
const (
	payloadBits = 24
	payloadMask = 1<<payloadBits - 1
	// miscBit tells other events from the ends of attempts, whose payload is
	// their slot. Their payload is a running number: at one instant the one that
	// was planned first comes first.
	miscBit = 1 << (payloadBits - 1)
	maxMs   = 1<<(63-payloadBits) - 1
)

func key(at int64, payload int32) uint64 { return uint64(at)<<payloadBits | uint64(payload) }

// queue is a heap with four children a node: half as deep as a binary one, and
// the children of a node share a cache line.
type queue struct{ a []uint64 }

func (q *queue) reset() { q.a = q.a[:0] }

func (q *queue) push(k uint64) {
	q.a = append(q.a, k)
	a, i := q.a, len(q.a)-1
	for i > 0 {
		p := (i - 1) >> 2
		if a[p] <= k {
			break
		}
		a[i] = a[p]
		i = p
	}
	a[i] = k
}

// replace puts k in the place of the smallest key.
func (q *queue) replace(k uint64) {
	a := q.a
	n, i := len(a), 0
	for {
		c := i<<2 + 1
		if c >= n {
			break
		}
		m, mk := c, a[c]
		if c+3 < n { // all four children
			if a[c+1] < mk {
				m, mk = c+1, a[c+1]
			}
			if a[c+2] < mk {
				m, mk = c+2, a[c+2]
			}
			if a[c+3] < mk {
				m, mk = c+3, a[c+3]
			}
		} else {
			for j := c + 1; j < n; j++ {
				if a[j] < mk {
					m, mk = j, a[j]
				}
			}
		}
		if k <= mk {
			break
		}
		a[i] = mk
		i = m
	}
	a[i] = k
}

// pop takes the smallest key away.
func (q *queue) pop() {
	n := len(q.a) - 1
	last := q.a[n]
	q.a = q.a[:n]
	if n > 0 {
		q.replace(last)
	}
}
