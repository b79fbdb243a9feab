package replay

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tracereplay/ingest"
)

// The fleet program (scripts/fleet) leaves a data set of many logs:
//
//	DIR/task/app=application_1/task.parquet
//	DIR/task/_empty.parquet     the table's columns, should no log have rows of it
//	DIR/status/                 what became of each log
//
// A log's part is named by its first application. Table app is written last:
// what has no part there was not finished, and is not read.

// appPart is one log of a data set.
type appPart struct {
	name   string // of its directories, app=ID
	number int64  // of the log: its place by name, from 1
}

const partPrefix = "app="

// appParts are the parts of a data set; nil if dir is none. With app set it is
// the part of that application, if one is named by it.
func appParts(dir, app string) []appPart {
	entries, err := os.ReadDir(filepath.Join(dir, ingest.Apps.Name))
	if err != nil {
		return nil
	}
	var parts []appPart
	for _, e := range entries { // sorted by name
		if e.IsDir() && strings.HasPrefix(e.Name(), partPrefix) && len(partFiles(dir, ingest.Apps.Name, e.Name())) > 0 {
			parts = append(parts, appPart{e.Name(), int64(len(parts) + 1)})
		}
	}
	i := slices.IndexFunc(parts, func(p appPart) bool { return p.name == partPrefix+escapePart(app) })
	if app != "" && i >= 0 {
		return parts[i : i+1]
	}
	return parts
}

// partFiles are the files of a table in one part.
func partFiles(dir, table, part string) []string {
	files, _ := filepath.Glob(filepath.Join(escapeGlob(dir), table, escapeGlob(part), "*.parquet"))
	return files
}

// escapeGlob makes a pattern that matches a name literally.
func escapeGlob(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

// escapePart writes an application's id as the name of a partition, as Hive
// and Spark do: what a path cannot hold as %XX.
func escapePart(id string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(id) {
		if c < ' ' || c == 0x7F || strings.IndexByte("\"#%'*/:=?\\{}[]^", c) >= 0 {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}
