package ingest

import (
	"errors"
	"maps"
	"slices"

	"tracereplay/internal/table"
)

// writers holds one writer per ingest table.
type writers struct {
	sources       *table.Writer[SourceRow]
	problems      *table.Writer[ProblemRow]
	counts        *table.Writer[EventCountRow]
	apps          *table.Writer[AppRow]
	settings      *table.Writer[SettingRow]
	machines      *table.Writer[MachineRow]
	workers       *table.Writer[WorkerRow]
	stores        *table.Writer[StoreRow]
	exclusions    *table.Writer[ExclusionRow]
	jobs          *table.Writer[JobRow]
	jobStages     *table.Writer[JobStageRow]
	stages        *table.Writer[StageRow]
	stageParents  *table.Writer[StageParentRow]
	rdds          *table.Writer[RDDRow]
	rddParents    *table.Writer[RDDParentRow]
	stageRDDs     *table.Writer[StageRDDRow]
	tasks         *table.Writer[TaskRow]
	resubmits     *table.Writer[ResubmitRow]
	fetchFailures *table.Writer[FetchFailureRow]
	blocks        *table.Writer[BlockRow]
	unpersists    *table.Writer[UnpersistRow]
	sqls          *table.Writer[SQLRow]
	planMetrics   *table.Writer[PlanMetricRow]
	progress      *table.Writer[ProgressRow]
	streamSources *table.Writer[StreamSourceRow]
	states        *table.Writer[StateRow]
	queries       *table.Writer[QueryRow]
}

func newWriters(s table.Sink) *writers {
	return &writers{
		sources: table.NewWriter(Sources, s), problems: table.NewWriter(Problems, s), counts: table.NewWriter(EventCounts, s),
		apps: table.NewWriter(Apps, s), settings: table.NewWriter(SettingTable, s), machines: table.NewWriter(Machines, s),
		workers: table.NewWriter(Workers, s), stores: table.NewWriter(Stores, s), exclusions: table.NewWriter(Exclusions, s),
		jobs: table.NewWriter(Jobs, s), jobStages: table.NewWriter(JobStages, s), stages: table.NewWriter(Stages, s),
		stageParents: table.NewWriter(StageParents, s), rdds: table.NewWriter(RDDs, s), rddParents: table.NewWriter(RDDParents, s),
		stageRDDs: table.NewWriter(StageRDDs, s), tasks: table.NewWriter(Tasks, s), resubmits: table.NewWriter(Resubmits, s),
		fetchFailures: table.NewWriter(FetchFailures, s), blocks: table.NewWriter(Blocks, s), unpersists: table.NewWriter(Unpersists, s),
		sqls: table.NewWriter(SQLs, s), planMetrics: table.NewWriter(PlanMetrics, s),
		progress: table.NewWriter(Progresses, s), streamSources: table.NewWriter(StreamSources, s), states: table.NewWriter(States, s), queries: table.NewWriter(Queries, s),
	}
}

// flush hands on all rows that are still gathered.
func (w *writers) flush() error {
	return errors.Join(
		w.sources.Flush(), w.problems.Flush(), w.counts.Flush(), w.apps.Flush(), w.settings.Flush(), w.machines.Flush(),
		w.workers.Flush(), w.stores.Flush(), w.exclusions.Flush(), w.jobs.Flush(), w.jobStages.Flush(), w.stages.Flush(),
		w.stageParents.Flush(), w.rdds.Flush(), w.rddParents.Flush(), w.stageRDDs.Flush(), w.tasks.Flush(), w.resubmits.Flush(),
		w.fetchFailures.Flush(), w.blocks.Flush(), w.unpersists.Flush(), w.sqls.Flush(), w.planMetrics.Flush(),
		w.progress.Flush(), w.streamSources.Flush(), w.states.Flush(), w.queries.Flush(),
	)
}

// writeCounts writes table event_count in the order of the kinds' names.
func writeCounts(w *table.Writer[EventCountRow], log int64, known, unknown map[string]int64) {
	for _, m := range []struct {
		counts map[string]int64
		known  bool
	}{{known, true}, {unknown, false}} {
		for _, k := range slices.Sorted(maps.Keys(m.counts)) {
			w.Append(&EventCountRow{Log: log, Event: k, Known: m.known, Lines: m.counts[k]})
		}
	}
}
