package result

import "tracereplay/internal/table"

// WorkerState is a worker's time in one state.
type WorkerState struct {
	App    string `col:"app"`
	Worker string `col:"worker"`
	FromMs int64  `col:"from_ms"`
	ToMs   int64  `col:"to_ms"`
	State  string `col:"state"`
}

// WorkerStates declares table worker_state.
var WorkerStates = table.New[WorkerState](table.Meta{
	Name: "worker_state", Layer: layer, Grain: "one row per worker and interval in one state", Key: []string{"app", "worker", "from_ms"}, Order: []string{"app", "worker", "from_ms"},
	Doc: "Idle is not finished, and finished is not consumed: only a free worker can be given back without loss.",
},
	table.Text("app", "", "application", func(r *WorkerState) string { return r.App }),
	table.Text("worker", "", "worker", func(r *WorkerState) string { return r.Worker }),
	table.Int("from_ms", "ms", "", "from", func(r *WorkerState) int64 { return r.FromMs }),
	table.Int("to_ms", "ms", "", "to", func(r *WorkerState) int64 { return r.ToMs }),
	table.Text("state", "", "busy: a task runs; idle_owing: none, but it alone holds an output that is needed; idle_caching: but a cached block that is needed; free", func(r *WorkerState) string { return r.State }),
)
