package ingest

import "tracereplay/internal/table"

// sql returns an open SQL execution, made when first heard of.
func (a *appState) sql(id, seq int64) *openSQL {
	s := a.sqls[id]
	if s == nil {
		s = &openSQL{row: SQLRow{App: a.key, Execution: id, Seq: seq}}
		a.sqls[id] = s
	}
	return s
}

func (a *appState) sqlStart(e *SQLStart) {
	a.clock(e.Ms)
	s := a.sql(e.Execution, e.Seq)
	s.row.Root, s.row.Description, s.row.StartMs = e.Root, table.NonEmpty(e.Description), e.Ms
	s.row.Plans++
	s.nodes = e.Nodes
}

func (a *appState) sqlPlan(e *SQLPlan) {
	s := a.sql(e.Execution, e.Seq)
	s.row.Plans++
	s.nodes = e.Nodes
}

func (a *appState) sqlEnd(e *SQLEnd) {
	a.clock(e.Ms)
	s := a.sql(e.Execution, e.Seq)
	s.row.EndMs, s.row.Error = e.Ms, table.NonEmpty(e.Error)
	a.writeSQL(s)
	delete(a.sqls, e.Execution)
}

func (a *appState) writeSQL(s *openSQL) {
	a.r.w.sqls.Append(&s.row)
	for i, n := range s.nodes {
		for _, m := range n.Metrics {
			a.r.w.planMetrics.Append(&PlanMetricRow{
				App: a.key, Execution: s.row.Execution, Node: int64(i), Depth: n.Depth, Name: n.Name, Metric: m.Name, Accumulator: m.Accumulator,
			})
		}
	}
}
