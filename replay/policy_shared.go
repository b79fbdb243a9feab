package replay

import "sync"

// shared is what worlds that are asked at the same time have found out about the
// policies' text.
type shared struct {
	mu     sync.Mutex
	parsed map[string]*reads // what queries of policies read
	shapes map[string]bool   // tables of policies of the program that have the columns they should
}

func newShared() *shared { return &shared{parsed: map[string]*reads{}, shapes: map[string]bool{}} }

// reads is nil of a query that was not parsed yet.
func (s *shared) reads(query string) *reads {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.parsed[query]
}

func (s *shared) setReads(query string, r *reads) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parsed[query] = r
}

func (s *shared) hasShape(table string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shapes[table]
}

func (s *shared) setShape(table string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shapes[table] = true
}
