package lineage

import (
	"errors"

	"tracereplay/internal/table"
)

// writers holds one writer per lineage table.
type writers struct {
	datasets       *table.Writer[DatasetRow]
	inputs         *table.Writer[InputRow]
	needs          *table.Writer[NeedRow]
	attempts       *table.Writer[AttemptRow]
	outputs        *table.Writer[OutputRow]
	holders        *table.Writer[HolderRow]
	residences     *table.Writer[ResidenceRow]
	removals       *table.Writer[RemovalRow]
	removalWorkers *table.Writer[RemovalWorkerRow]
	reruns         *table.Writer[RerunRow]
	checks         *table.Writer[CheckRow]
	findings       *table.Writer[FindingRow]
	states         *table.Writer[StatePartitionRow]
	points         *table.Writer[RecoveryPointRow]
}

func newWriters(s table.Sink) *writers {
	return &writers{
		datasets: table.NewWriter(Datasets, s), inputs: table.NewWriter(Inputs, s), needs: table.NewWriter(Needs, s),
		attempts: table.NewWriter(Attempts, s), outputs: table.NewWriter(Outputs, s), holders: table.NewWriter(Holders, s),
		residences: table.NewWriter(Residences, s), removals: table.NewWriter(Removals, s),
		removalWorkers: table.NewWriter(RemovalWorkers, s), reruns: table.NewWriter(Reruns, s),
		checks: table.NewWriter(Checks, s), findings: table.NewWriter(Findings, s),
		states: table.NewWriter(StatePartitions, s), points: table.NewWriter(RecoveryPoints, s),
	}
}

// flush hands on all rows that are still gathered.
func (w *writers) flush() error {
	return errors.Join(
		w.datasets.Flush(), w.inputs.Flush(), w.needs.Flush(), w.attempts.Flush(), w.outputs.Flush(), w.holders.Flush(),
		w.residences.Flush(), w.removals.Flush(), w.removalWorkers.Flush(), w.reruns.Flush(), w.checks.Flush(), w.findings.Flush(), w.states.Flush(), w.points.Flush(),
	)
}
