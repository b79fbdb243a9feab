// Package plots draws what package analysis found. Each figure is a function
// that takes an analysis struct and returns a Figure: panels of gonum plots
// above one another, with a key, on one theme. No statistics happen here.
//
//	fig := plots.HeatMap(report.Heat)
//	err := fig.WriteSVG(w)     // or WritePNG, WritePDF, InlineSVG
//
// All figures over time share their left and right margins, so that on a page
// an instant stands on one vertical line through all of them.
//
// SVG is written by a canvas of our own: colours are classes, so that one
// picture serves light, dark and print, and marks tell their numbers on hover.
// The same figure gives the same bytes.
package plots
