package replay

import (
	"context"
	"errors"
	"fmt"

	"tracereplay/ingest"
	"tracereplay/internal/duck"
	"tracereplay/internal/table"
	"tracereplay/lineage"
)

// SchemaVersion is the version of the tables. It grows with every change after
// which a query of the last version could answer wrongly or not at all.
const SchemaVersion = 2

// Meta says how a trace was made. It carries no clock: the same input gives
// the same tables.
type Meta struct {
	SchemaVersion int64  `col:"schema_version"`
	ToolVersion   string `col:"tool_version"`
	Command       string `col:"command"`
}

// Metas declares table meta.
var Metas = table.New[Meta](table.Meta{
	Name: "meta", Layer: "trace", Grain: "one row per trace", Key: []string{"schema_version"}, Order: []string{"schema_version"},
	Doc: "How the trace was made.",
},
	table.Int("schema_version", "", "", "version of the tables; another one is refused", func(m *Meta) int64 { return m.SchemaVersion }),
	table.Text("tool_version", "", "version of replay that wrote the trace", func(m *Meta) string { return m.ToolVersion }),
	table.Text("command", "", "command line that wrote it", func(m *Meta) string { return m.Command }),
)

// Tables are all tables of a trace, in the order of docs/tables.md.
func Tables() []*table.Spec {
	all := []*table.Spec{&Metas.Spec}
	all = append(all, ingest.Tables()...)
	all = append(all, lineage.Tables()...)
	return append(all, derived()...)
}

// readMeta reads table meta and refuses what this version cannot read.
func readMeta(ctx context.Context, db *duck.DB) (Meta, error) {
	const again = "make it again from the logs with replay ingest"
	version, err := duck.QueryOne[int64](ctx, db, "SELECT schema_version FROM meta")
	switch {
	case err != nil:
		return Meta{}, noMeta(ctx, db, err)
	case version > SchemaVersion:
		return Meta{}, fmt.Errorf("its tables are of schema version %d, this replay reads %d: use a newer replay, or %s", version, SchemaVersion, again)
	case version < SchemaVersion:
		return Meta{}, fmt.Errorf("its tables are of schema version %d, this replay reads %d: %s", version, SchemaVersion, again)
	}
	return duck.QueryOne[Meta](ctx, db, "SELECT schema_version, tool_version, command FROM meta")
}

// noMeta words the error of a file whose table meta cannot be read. Looking for
// the table first would take as long as opening the file.
func noMeta(ctx context.Context, db *duck.DB, err error) error {
	n, listErr := duck.QueryOne[int64](ctx, db,
		"SELECT count(*) FROM duckdb_tables() WHERE table_name = 'meta' AND database_name = current_database()")
	if listErr == nil && n == 0 {
		return errors.New("a DuckDB file, but not a trace of replay (it has no table meta)")
	}
	return fmt.Errorf("table meta: %w", err)
}
