package sparkgen

import (
	"fmt"
	"slices"
	"strconv"
)

// Ports that the log shows.
const (
	driverPort  = 40000
	servicePort = 7337
)

// cluster is the physical side: machines, workers and what they hold.
type cluster struct {
	slots    int
	first    []string // hosts of the first workers, in order of registration
	machines int
	nextID   int
	all      []*executor
	goneHost map[string]bool
	blocks   map[block][]*output // cached blocks that the driver knows of
}

// block is one partition of a cached RDD.
type block struct {
	rdd  *rdd
	part int
}

// executor is a worker.
type executor struct {
	id, host    string
	port        int
	slots, busy int
	up          bool // the process lives
	known       bool // the driver counts on it
	hasStore    bool // the driver knows its block store
	deafUntil   int64
	epoch       int
	statuses    map[*shuffle][]*output // map outputs as it last learnt of them
	local       map[block]*output      // blocks that it holds
	computing   map[block]*task        // whoever else wants such a block waits for it
	dropped     []*Stay                // ended with its store, which has not come back
}

func (c *cluster) draw(s *sim) {
	c.slots = 1 + s.rnd.IntN(2)
	c.machines = 2 + s.rnd.IntN(3)
	c.goneHost, c.blocks = map[string]bool{}, map[block][]*output{}
	if s.yarn {
		c.nextID = 1
	}
	for m := range c.machines {
		for range 1 + s.rnd.IntN(3) {
			c.first = append(c.first, "m"+strconv.Itoa(m+1))
		}
	}
	s.rnd.Shuffle(len(c.first), func(a, b int) { c.first[a], c.first[b] = c.first[b], c.first[a] })
}

// add registers a worker.
func (c *cluster) add(s *sim, host string) {
	ex := &executor{
		id: strconv.Itoa(c.nextID), host: host, port: 41000 + c.nextID, slots: c.slots, up: true, known: true, hasStore: true,
		statuses: map[*shuffle][]*output{}, local: map[block]*output{},
		computing: map[block]*task{},
	}
	c.nextID++
	c.all = append(c.all, ex)
	s.ev.executorAdded(ex.id, host, ex.slots, s.now)
	s.ev.blockManagerAdded(ex.id, host, ex.port, s.now)
	s.driver.kick()
}

func (c *cluster) offers() []*executor {
	var out []*executor
	for _, ex := range c.all {
		if ex.known {
			out = append(out, ex)
		}
	}
	return out
}

// isCached tells whether the driver knows a block of every partition.
func (c *cluster) isCached(r *rdd) bool {
	for p := range r.parts {
		if len(c.blocks[block{r, p}]) == 0 {
			return false
		}
	}
	return true
}

// What a task does.

// need is what one task must read and will keep.
type need struct {
	fetches []fetch
	keeps   []block
	rdds    int // computed on the way
}

type fetch struct {
	shuffle *shuffle
	reduce  int
}

// fetchTrouble is why a fetch failed.
type fetchTrouble struct {
	shuffle *shuffle
	part    int // map partition, when at is known
	reduce  int
	at      *output // nil: the driver has no location
	message string
}

// find follows partition p of r down to what must be read.
func (c *cluster) find(n *need, ex *executor, r *rdd, p int) {
	n.rdds++
	if r.kept() {
		b := block{r, p}
		if ex.local[b] != nil || slices.Contains(n.keeps, b) {
			return
		}
		if t := ex.computing[b]; t != nil && !t.ended {
			return
		}
		for _, o := range c.blocks[b] {
			if o.ex.up {
				return
			}
		}
		n.keeps = append(n.keeps, b)
	}
	for _, d := range r.parents {
		q := p - d.offset
		switch {
		case d.shuffle != nil:
			n.fetches = append(n.fetches, fetch{d.shuffle, p})
		case q >= 0 && q < d.rdd.parts:
			c.find(n, ex, d.rdd, q)
		}
	}
}

// start runs a task on its worker.
func (c *cluster) start(s *sim, t *task) {
	alive := func(do func()) func() {
		return func() {
			if !t.ended && t.ex.up {
				do()
			}
		}
	}
	s.after(3, alive(func() { // the same for all: of two tasks that want a block, the first launched computes it
		if t.ts.epoch > t.ex.epoch {
			t.ex.epoch = t.ts.epoch
			clear(t.ex.statuses)
		}
		var n need
		c.find(&n, t.ex, t.ts.stage.rdd, t.part)
		for _, b := range n.keeps {
			t.ex.computing[b] = t
		}
		if f := c.locate(s, t, n.fetches); f != nil {
			wait := int64(3 + s.rnd.IntN(30))
			if f.at != nil {
				wait = int64(60 + s.rnd.IntN(500))
			}
			s.after(wait, alive(func() { s.driver.fetchFailure(t, f) }))
			return
		}
		c.work(s, t, &n, alive)
	}))
}

// work is the part of a task after it knows where to read.
func (c *cluster) work(s *sim, t *task, n *need, alive func(func()) func()) {
	ms := t.ts.work/2 + int64(s.rnd.IntN(int(t.ts.work))) + int64(n.rdds)
	if s.speculation && s.rnd.IntN(8) == 0 && !t.speculative {
		ms *= 4
		s.after(2*t.ts.work, s.driver.kick)
	}
	fail := s.taskFailures && s.rnd.IntN(25) == 0
	if s.poison != nil && t.ts.stage.rdd == s.poison && t.part == 0 {
		fail = true
	}
	statuses := make([][]*output, len(n.fetches))
	for i, f := range n.fetches {
		statuses[i] = t.ex.statuses[f.shuffle]
	}
	s.after(ms*3/10, alive(func() {
		if f := c.read(s, t, n.fetches, statuses); f != nil {
			s.after(int64(60+s.rnd.IntN(500)), alive(func() { s.driver.fetchFailure(t, f) }))
			return
		}
		if fail {
			s.after(ms/5, alive(func() { s.driver.exception(t, "generated failure") }))
			return
		}
		s.after(ms*5/10, alive(func() { c.keep(s, t, n.keeps) }))
		s.after(ms*7/10, alive(func() { s.driver.success(t) }))
	}))
}

// locate finds where to read, from what the worker knows or asks for.
func (c *cluster) locate(s *sim, t *task, fetches []fetch) *fetchTrouble {
	for _, f := range fetches {
		known := t.ex.statuses[f.shuffle]
		if known == nil {
			known = slices.Clone(s.driver.registered(f.shuffle))
			t.ex.statuses[f.shuffle] = known
		}
		if slices.Contains(known, nil) {
			clear(t.ex.statuses)
			return &fetchTrouble{
				shuffle: f.shuffle, reduce: f.reduce,
				message: fmt.Sprintf("org.apache.spark.shuffle.MetadataFetchFailedException: Missing an output location for shuffle %d partition %d", f.shuffle.id, f.reduce),
			}
		}
		if x := c.unreachable(s, t, f, known); x != nil {
			return x
		}
	}
	return nil
}

func (c *cluster) unreachable(s *sim, t *task, f fetch, known []*output) *fetchTrouble {
	for m, o := range known {
		if f.shuffle.writes(m, f.reduce) && !c.reachable(s, t, o) {
			return &fetchTrouble{
				shuffle: f.shuffle, part: m, reduce: f.reduce, at: o,
				message: fmt.Sprintf("org.apache.spark.shuffle.FetchFailedException: Failed to connect to %s:%d", o.ex.host, o.ex.port),
			}
		}
	}
	return nil
}

func (c *cluster) reachable(s *sim, t *task, o *output) bool {
	switch {
	case o.ex == t.ex:
		return true
	case s.now < o.ex.deafUntil:
		return false
	case s.ess:
		return !c.goneHost[o.ex.host]
	}
	return o.ex.up
}

// read fetches, and counts the blocks.
func (c *cluster) read(s *sim, t *task, fetches []fetch, statuses [][]*output) *fetchTrouble {
	for i, f := range fetches {
		if x := c.unreachable(s, t, f, statuses[i]); x != nil {
			return x
		}
		for m, o := range statuses[i] {
			if !f.shuffle.writes(m, f.reduce) {
				continue
			}
			if o.ex == t.ex {
				t.fetched.localBlocks++
				t.fetched.localBytes += 100
			} else {
				t.fetched.remoteBlocks++
				t.fetched.remoteBytes += 100
			}
			t.fetched.readRecords++
		}
	}
	if len(fetches) == 0 {
		t.fetched.inputBytes = 4096
	}
	return nil
}

// Cached blocks.

// keep stores the blocks that a task computed on the way.
func (c *cluster) keep(s *sim, t *task, keeps []block) {
	if len(keeps) > 0 {
		c.registerAgain(s, t.ex) // it would learn that the driver does not know it
	}
	for _, b := range keeps {
		if !b.rdd.kept() || t.ex.local[b] != nil {
			continue
		}
		pc := piece{rdd: b.rdd, part: b.part}
		o := &output{rdd: b.rdd, part: b.part, by: t, ex: t.ex, madeMs: s.blockTime(), bytes: int64(500 + b.part), rerun: s.driver.everMade[pc]}
		s.driver.everMade[pc] = true
		s.driver.all = append(s.driver.all, o)
		t.ex.local[b] = o
		c.report(s, b, o)
		if s.blockUpdates && s.rnd.IntN(12) == 0 {
			c.evict(s, t.ex)
		}
	}
}

// blockTime is the time that a reader of the log can give a block's event: the
// event has none, so it is the latest one before it.
func (s *sim) blockTime() int64 {
	if s.blockUpdates {
		return s.ev.last
	}
	return s.now
}

// report makes a block known to the driver.
func (c *cluster) report(s *sim, b block, o *output) {
	if !o.ex.hasStore {
		return // the driver has given the worker up
	}
	o.stays = append(o.stays, Stay{Holder: "worker:" + o.ex.id, From: s.blockTime()})
	c.blocks[b] = append(c.blocks[b], o)
	if s.blockUpdates {
		s.ev.blockUpdated(o.ex.id, o.ex.host, o.ex.port, b.rdd.id, b.part, o.bytes)
	}
}

// evict drops one block of a worker for want of memory.
func (c *cluster) evict(s *sim, ex *executor) {
	held := c.heldBy(s, ex)
	if len(held) == 0 || !ex.hasStore {
		return
	}
	b := held[s.rnd.IntN(len(held))]
	o := ex.local[b]
	delete(ex.local, b)
	c.blocks[b] = slices.DeleteFunc(c.blocks[b], func(x *output) bool { return x == o })
	o.leave(s.blockTime(), "evicted")
	s.ev.blockUpdated(ex.id, ex.host, ex.port, b.rdd.id, b.part, 0)
}

// heldBy lists the blocks on a worker in a fixed order.
func (c *cluster) heldBy(s *sim, ex *executor) []block {
	var out []block
	for _, r := range s.plan.rdds {
		for p := range r.parts {
			if ex.local[block{r, p}] != nil {
				out = append(out, block{r, p})
			}
		}
	}
	return out
}

// unpersist drops an RDD everywhere.
func (s *sim) unpersist(r *rdd) {
	if r.unpersisted {
		return
	}
	r.unpersisted = true
	for p := range r.parts {
		b := block{r, p}
		for _, o := range s.cluster.blocks[b] {
			o.leave(s.blockTime(), "unpersisted")
		}
		delete(s.cluster.blocks, b)
		for _, ex := range s.cluster.all {
			delete(ex.local, b)
		}
	}
	s.ev.unpersist(r.id)
}

// dropStore makes the driver forget a worker's block store. A worker that lives
// registers again and tells what it holds.
func (c *cluster) dropStore(s *sim, ex *executor, reason string) {
	if !ex.hasStore {
		return
	}
	ex.hasStore = false
	switch reason {
	case "fetch_failed":
		reason = "store_removed"
	case "machine_removed":
		reason = "worker_removed" // that is what kept them
	}
	for _, b := range c.heldBy(s, ex) {
		o := ex.local[b]
		c.blocks[b] = slices.DeleteFunc(c.blocks[b], func(x *output) bool { return x == o })
		o.leave(s.now, reason)
		ex.dropped = append(ex.dropped, &o.stays[len(o.stays)-1])
	}
	s.ev.blockManagerRemoved(ex.id, ex.host, ex.port, s.now)
	s.after(int64(300+s.rnd.IntN(1000)), func() { c.registerAgain(s, ex) }) // its next heartbeat
}

// registerAgain brings a living worker's block store back.
func (c *cluster) registerAgain(s *sim, ex *executor) {
	if !ex.up || !ex.known || ex.hasStore {
		return
	}
	ex.hasStore, ex.dropped = true, nil
	s.ev.blockManagerAdded(ex.id, ex.host, ex.port, s.now)
	for _, b := range c.heldBy(s, ex) {
		c.report(s, b, ex.local[b])
	}
}

// Losses.

// strike does one thing to the cluster, if it leaves something to go on with.
func (c *cluster) strike(s *sim, kind string) {
	var up, idle []*executor
	var hosts []string
	for _, ex := range c.all {
		if !ex.up || !ex.known {
			continue
		}
		up = append(up, ex)
		if ex.busy == 0 {
			idle = append(idle, ex)
		}
		if !slices.Contains(hosts, ex.host) {
			hosts = append(hosts, ex.host)
		}
	}
	lag := int64(5 + s.rnd.IntN(400))
	switch kind {
	case "exit":
		if len(up) < 2 {
			return
		}
		ex := up[s.rnd.IntN(len(up))]
		ex.up = false
		s.lossOf(kind, ex)
		s.after(lag, func() { s.driver.executorLost(ex, exitReason, "", true) })
		c.replace(s, ex.host, lag)
	case "release":
		if len(up) < 2 || len(idle) == 0 {
			return
		}
		ex := idle[s.rnd.IntN(len(idle))]
		s.lossOf(kind, ex)
		s.driver.executorLost(ex, "Executor killed by driver.", "", false)
	case "withdrawal":
		if len(hosts) < 2 {
			return
		}
		c.withdraw(s, hosts[s.rnd.IntN(len(hosts))], lag)
	case "fetch":
		ex := up[s.rnd.IntN(len(up))]
		ex.deafUntil = s.now + int64(200+s.rnd.IntN(900))
		s.lossOf(kind, ex)
	}
}

func (s *sim) lossOf(kind string, lost ...*executor) {
	l := TrueLoss{Kind: kind, GoneMs: s.now}
	for _, ex := range lost {
		l.Workers = append(l.Workers, ex.id)
	}
	s.truth.Losses = append(s.truth.Losses, l)
}

// withdraw takes a machine with all its workers.
func (c *cluster) withdraw(s *sim, host string, lag int64) {
	var lost []*executor
	for _, ex := range c.all {
		if ex.host == host && ex.up {
			ex.up = false
			lost = append(lost, ex)
		}
	}
	c.goneHost[host] = true
	s.lossOf("withdrawal", lost...)
	if s.yarn {
		for _, ex := range lost {
			s.after(lag+int64(s.rnd.IntN(3000)), func() {
				s.driver.executorLost(ex, "Container from a bad node: "+host+". Exit status: 143.", "", false)
			})
		}
	} else {
		s.after(lag, func() {
			for _, ex := range lost {
				s.driver.executorLost(ex, "worker lost: "+host+":45161 got disassociated", host, false)
			}
		})
	}
	c.machines++
	c.replace(s, "m"+strconv.Itoa(c.machines), lag)
}

// replace brings a new worker, most of the time.
func (c *cluster) replace(s *sim, host string, lag int64) {
	left := 0
	for _, ex := range c.all {
		if ex.up && ex.known {
			left++
		}
	}
	if left < 2 || s.rnd.IntN(5) < 3 {
		s.after(lag+int64(200+s.rnd.IntN(2000)), func() {
			if !c.goneHost[host] {
				c.add(s, host)
			}
		})
	}
}
