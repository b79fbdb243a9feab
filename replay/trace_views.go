package replay

import (
	_ "embed"
	"strings"
)

//go:embed trace_views.sql
var viewsSQL string

// View is a view of every trace.
type View struct{ Name, Grain, Doc string }

// Views reads the views and what is said of them from their SQL.
func Views() []View {
	var views []View
	for block := range strings.SplitSeq(viewsSQL, "\n\n") {
		if v, ok := parseView(block); ok {
			views = append(views, v)
		}
	}
	return views
}

// parseView reads a block of comment lines and one CREATE VIEW.
func parseView(block string) (View, bool) {
	var v View
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if grain, ok := strings.CutPrefix(line, "-- grain: "); ok {
			v.Grain = grain
		} else if doc, ok := strings.CutPrefix(line, "-- "); ok {
			v.Doc = strings.TrimSpace(v.Doc + " " + doc)
		} else if name, ok := strings.CutPrefix(line, "CREATE VIEW "); ok {
			v.Name, _, _ = strings.Cut(name, " ")
		}
	}
	return v, v.Name != ""
}
