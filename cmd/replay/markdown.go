package main

import (
	"fmt"
	"io"
	"strings"

	"tracereplay/internal/table"
	"tracereplay/replay"
)

const tablesHead = `# The tables of a trace

Written by ` + "`replay tables --format markdown`" + ` from the declarations in the code: change those.

A time is in ms since 1970 on the coordinator's clock, a name tells the unit at its end (` + "`_ms`, `_ns`, `_bytes`" + `).
Unknown is null, never 0 or -1; a column without an entry under "null" is never null. ` + "`seq`" + ` is the ordinal of a line
over all parts of its log, see table source. The tables of layer ingest hold what the log says; those of layer
lineage hold what follows from it, and ` + "`known`" + ` says how well: logged, derived, inferred or bound.
`

// writeMarkdown writes docs/tables.md, or a part of it.
func writeMarkdown(w io.Writer, specs []*table.Spec) error {
	var b strings.Builder
	whole := len(specs) > 1
	if whole {
		b.WriteString(tablesHead)
		markdownIndex(&b, specs)
	}
	for _, s := range specs {
		markdownTable(&b, s)
	}
	if whole {
		markdownViews(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownIndex(b *strings.Builder, specs []*table.Spec) {
	b.WriteString("\n| table | layer | one row |\n|---|---|---|\n")
	for _, s := range specs {
		fmt.Fprintf(b, "| [%s](#%s) | %s | %s |\n", s.Name, s.Name, s.Layer, cell(strings.TrimPrefix(s.Grain, "one row ")))
	}
}

func markdownTable(b *strings.Builder, s *table.Spec) {
	fmt.Fprintf(b, "\n## %s\n\n%s. Key: %s. Order: %s.\n", s.Name, upperFirst(s.Grain), code(s.Key), code(s.Order))
	if s.Doc != "" {
		fmt.Fprintf(b, "%s\n", s.Doc)
	}
	b.WriteString("\n| column | type | unit | meaning | source | null |\n|---|---|---|---|---|---|\n")
	for _, c := range s.Columns {
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s | %s |\n", c.Name, typeName(c), cell(c.Unit), cell(c.Doc), cell(c.Source), cell(c.Null))
	}
}

func markdownViews(b *strings.Builder) {
	b.WriteString("\n## Views\n\n| view | one row | what it shows |\n|---|---|---|\n")
	for _, v := range replay.Views() {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", v.Name, cell(strings.TrimPrefix(v.Grain, "one row ")), cell(v.Doc))
	}
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func code(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
