package result

// WorkerSpan is a worker's life within the jobs' time of a run.
type WorkerSpan struct {
	Worker  string `col:"worker"`
	Slots   int64  `col:"slots"`
	FromMs  int64  `col:"from_ms"`
	ToMs    int64  `col:"to_ms"`
	FirstMs int64  `col:"first_ms"` // of the run: its first job's start
	LastMs  int64  `col:"last_ms"`  // of the run: its last job's end
	BusyMs  int64  `col:"busy_ms"`
}
