package streaming

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tracereplay/internal/table"
	"tracereplay/replay/result"
)

// Policy is one way to change what a loss costs a streaming query. Exactly one
// of the fields says how.
type Policy struct {
	Name            string // as given
	TriggerMs       int64  // time between triggers
	SnapshotBatches int64  // a full snapshot of the state every so many batches
	IsChangelog     bool   // commits write changelogs instead of files
	Standby         int64  // further copies of the state, on other machines
}

// PolicyForms are the forms that ParsePolicy reads, with what each changes.
func PolicyForms() [][2]string {
	return [][2]string{
		{"trigger=DURATION", "the time between triggers: shorter or longer batches"},
		{"snapshots=N", "a full snapshot of the state every N batches"},
		{"changelog", "RocksDB: a commit writes a changelog instead of files"},
		{"standby=N", "N further copies of the state on other machines"},
	}
}

// ParsePolicy reads trigger=1500ms, snapshots=1, changelog or standby=1.
func ParsePolicy(text string) (Policy, error) {
	p := Policy{Name: text}
	name, value, _ := strings.Cut(text, "=")
	n, err := strconv.ParseInt(value, 10, 32)
	ok := err == nil && n >= 1
	switch name {
	case "trigger":
		d, err := time.ParseDuration(value)
		p.TriggerMs, ok = d.Milliseconds(), err == nil && d >= time.Millisecond
	case "snapshots":
		p.SnapshotBatches = n
	case "standby":
		p.Standby = n
	case "changelog":
		p.IsChangelog, ok = true, text == name
	default:
		ok = false
	}
	if !ok {
		return Policy{}, fmt.Errorf("policy %q: give trigger=DURATION, snapshots=N, changelog or standby=N", text)
	}
	return p, nil
}

// Policies are what policies change for each query, both ends of what is
// assumed, after the query as recorded. usual has a row a query and kind of
// unit; machines are taken where there are any.
func Policies(queries []result.StreamQuery, usual []result.StreamUsual, policies []Policy, bandwidth int64) []result.StreamPolicy {
	if bandwidth <= 0 {
		bandwidth = DefaultBandwidth
	}
	var out []result.StreamPolicy
	for i := range queries {
		q := &queries[i]
		u := usualOf(usual, q.Query)
		for _, p := range append([]Policy{{Name: "recorded"}}, policies...) {
			for _, high := range []bool{false, true} {
				out = append(out, policyRow(q, u, p, high, bandwidth))
			}
		}
	}
	return out
}

func usualOf(all []result.StreamUsual, query string) *result.StreamUsual {
	best := &result.StreamUsual{Query: query}
	for i := range all {
		if u := &all[i]; u.Query == query && (best.UnitKind == "" || u.UnitKind == "machine") {
			best = u
		}
	}
	return best
}

// model is a query's batches and its state store, in the terms in which
// policies change them. What is not known is NaN.
type model struct {
	cycle, batch, add float64 // ms
	recompute         float64 // slot ms
	rowsPerMs         float64
	partitions        float64 // of the state
	lost              float64 // of them, on one unit
	bytes             float64 // of the state
	updated           float64 // share of the state that a batch changes
	load              float64 // slot ms a partition
	store             string  // rocksdb, changelog, deltas
	snapshot          float64 // batches from one snapshot to the next
	standby           float64
}

func modelOf(q *result.StreamQuery, u *result.StreamUsual) model {
	m := model{
		cycle: of(u.CycleMs), batch: ofInt(q.BatchMs), add: of(u.AddMs), recompute: of(u.MeanRecomputeMs), rowsPerMs: of(q.InputRowsPerS) / 1000,
		partitions: float64(q.PlacedPartitions), lost: u.MeanPartitions, bytes: ofInt(q.StateBytes), updated: min(of(u.UpdatedShare), 1),
		load: of(q.PartitionLoadMs), store: u.Store, snapshot: float64(max(u.SnapshotBatches, 1)),
	}
	if m.partitions == 0 {
		m.partitions = ofInt(q.Partitions)
	}
	m.cycle = math.Max(m.cycle, m.batch)
	if !q.IsStateful {
		m.bytes, m.partitions, m.lost, m.updated = 0, 0, 0, 0
	}
	return m
}

func of(v table.Opt[float64]) float64 {
	if !v.OK {
		return math.NaN()
	}
	return v.V
}

func ofInt(v table.I64) float64 {
	if !v.OK {
		return math.NaN()
	}
	return float64(v.V)
}

// retime gives the batches another interval. When rows make the work, what the
// jobs take shrinks with the time in which rows arrive; else it stays. The loss
// at a random moment goes with the square of a batch's duration, since both its
// work and its time do, and with how often batches come.
func (m *model) retime(interval float64, scales bool) {
	fixed, before := m.batch-m.add, *m
	if scales {
		rate := m.add / m.cycle
		m.batch = fixed + rate*interval
		if m.batch > interval { // batches follow one another at once
			m.batch = fixed / (1 - rate)
			if rate >= 1 {
				m.batch = math.NaN()
			}
		}
	}
	m.cycle = math.Max(interval, m.batch)
	m.recompute *= m.batch / before.batch * (m.batch / before.batch) * before.cycle / m.cycle
	if m.bytes > 0 {
		m.updated = math.Min(1, m.updated*m.cycle/before.cycle)
	}
}

// loadBytes is what is read to have the lost partitions again: their last
// snapshot and the deltas since, of which there are none (low) or as many as
// there can be.
func (m *model) loadBytes(high bool) float64 {
	if m.standby > 0 {
		if high {
			return m.share() * m.updated // what the batch before changed has not arrived
		}
		return 0
	}
	if high && m.store != "rocksdb" {
		return m.share() * (1 + m.updated*(m.snapshot-1))
	}
	return m.share()
}

// share is the size of the partitions on one unit.
func (m *model) share() float64 {
	if m.partitions == 0 {
		return 0
	}
	return m.bytes * m.lost / m.partitions
}

// writtenPerBatch is what a commit writes: the change, and every so many
// batches all of the state. RocksDB without changelogs writes the files that are
// new, which are at least the change and at most all.
func (m *model) writtenPerBatch(high bool) float64 {
	switch {
	case m.store == "rocksdb" && high:
		return m.bytes
	case m.store == "rocksdb":
		return m.bytes * m.updated
	case m.snapshot <= 1:
		return m.bytes
	}
	return m.bytes*m.updated + m.bytes/m.snapshot
}

// apply changes the model, or says why it does not.
func (p Policy) apply(m *model, high bool) (why string, applies bool) {
	switch {
	case p.TriggerMs > 0:
		m.retime(float64(p.TriggerMs), !high)
		if math.IsNaN(m.batch) {
			return "batches never keep up: rows arrive faster than they are worked off", true
		}
		return "", true
	case m.bytes == 0:
		if p.Name == "recorded" {
			return "", true
		}
		return "the query keeps no state", false
	case p.IsChangelog && m.store == "deltas":
		return "the state store is not RocksDB: it writes deltas already", false
	case p.IsChangelog && m.store == "changelog":
		return "changelogs are on already", false
	case p.IsChangelog:
		m.store = "changelog"
	case p.SnapshotBatches > 0 && m.store == "rocksdb":
		return "every commit is a snapshot already: changelogs are off", false
	case p.SnapshotBatches > 0:
		m.snapshot = float64(p.SnapshotBatches)
	case p.Standby > 0:
		m.standby = float64(p.Standby)
		return "Structured Streaming has no standby copies; other engines do", true
	}
	return "", true
}

func policyRow(q *result.StreamQuery, u *result.StreamUsual, p Policy, high bool, bandwidth int64) result.StreamPolicy {
	m := modelOf(q, u)
	r := result.StreamPolicy{App: q.App, Query: q.Query, Policy: p.Name, Assumption: "low", UnitKind: u.UnitKind, BandwidthBytes: bandwidth}
	if high {
		r.Assumption = "high"
	}
	r.Why, r.Applies = p.apply(&m, high)
	perHour := 3_600_000 / m.cycle
	r.CycleMs, r.BatchMs, r.MeanRecomputeMs = whole(m.cycle), whole(m.batch), whole(m.recompute)
	if b := m.batch / m.cycle; !math.IsNaN(b) {
		r.BusyShare = table.Some(b)
	}
	r.RestartRows = whole(m.rowsPerMs * m.cycle)
	r.QuiesceMs = whole(m.batch * m.batch / (2 * m.cycle))
	load := m.loadBytes(high)
	r.LoadBytes, r.TransferMs = whole(load), whole(math.Ceil(load*1000/float64(bandwidth)))
	if u.UnitKind != "" {
		r.LostPartitions = table.Some(m.lost)
	}
	switch {
	case load == 0:
		r.LoadMs = table.Some[int64](0)
	case m.share() > 0: // a load takes longer by what is read besides
		r.LoadMs = whole(m.load * m.lost * load / m.share())
	}
	r.WrittenPerHour = whole(m.writtenPerBatch(high) * perHour)
	r.StateFilesPerHour = whole(m.partitions * perHour)
	r.MemoryBytes, r.SentPerHour = table.Some[int64](0), table.Some[int64](0)
	if m.standby > 0 {
		r.MemoryBytes, r.SentPerHour = whole(m.standby*m.bytes), whole(m.standby*m.bytes*m.updated*perHour)
	}
	return r
}

// whole rounds; what is not known stays unknown.
func whole(v float64) table.I64 {
	if math.IsNaN(v) || math.IsInf(v, 0) || v > 1<<62 {
		return table.I64{}
	}
	return table.Some(int64(math.Round(v)))
}
