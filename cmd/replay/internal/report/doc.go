// Package report writes what package analysis found as a page, as markdown and
// as summary.json, and the plots beside them. All of them are written from one
// analysis.Report: every value of the page carries its name in summary.json.
//
//	err := report.Write(dir, analysis.New(inputs))
//
// The page is one file. A content security policy in it forbids scripts and all
// loading; pictures are inline SVG. Names from logs are hostile: they go
// through human.Clean or human.Cut, then through html/template or the escapes of
// plots and markdown.go.
package report
