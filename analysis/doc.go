// Package analysis turns the answers of package replay into what a report
// shows: figures with names, units and n, and one paragraph in plain words.
//
// What comes in is Inputs: plain rows, gathered by the command. What goes out
// is Report, which the page, the markdown and summary.json all write, and
// whose parts (HeatMap, Banked, ...) are what package plots draws.
//
//  1. Of each unit, its worst instant; of all, the worst (worst.go).
//  2. What one removal costs on average, from exact integrals (expected.go).
//  3. The curves over time, cut into as many bins as a page has room for; a
//     bin keeps its worst cell (heatmap.go, banked.go, progress.go).
//  4. Every figure that is shown anywhere gets its name (figures.go), and the
//     paragraph is written from these (story.go).
//
// All functions are pure: same inputs, same report. Times are ms on the
// coordinator's clock, work is slot time in ms, sizes are bytes.
package analysis
