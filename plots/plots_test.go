package plots_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tracereplay/analysis"
	"tracereplay/internal/reporttest"
	"tracereplay/plots"
)

var update = flag.Bool("update", false, "rewrite the golden files; read their difference")

func small() *analysis.Report {
	s := reporttest.Small()
	in := reporttest.Inputs(s)
	reporttest.Withdraw(in, s, 1, 2)
	return analysis.New(in)
}

// The text of each figure of a small run. Numbers and names are in it, so that
// a change of any of them shows in the difference.
func TestGolden(t *testing.T) {
	for _, f := range figures(small()) {
		t.Run(f.Name, func(t *testing.T) {
			var got bytes.Buffer
			if err := f.InlineSVG(&got); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", f.Name+".svg"), got.Bytes())
		})
	}
}

func TestGoldenStyle(t *testing.T) {
	golden(t, filepath.Join("testdata", "style.css"), []byte(plots.CSS()+"\n"))
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; -update rewrites it\n%s", path, firstDifference(string(got), string(want)))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return "one is longer"
}

func TestSameBytes(t *testing.T) {
	first, second := figures(small()), figures(small())
	for i, f := range first {
		for _, ending := range plots.Formats() {
			if !bytes.Equal(drawn(t, f, ending), drawn(t, second[i], ending)) {
				t.Errorf("%s%s differs from one time to the next", f.Name, ending)
			}
		}
	}
}

func drawn(t *testing.T, f plots.Figure, ending string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, ending); err != nil {
		t.Fatalf("%s%s: %v", f.Name, ending, err)
	}
	return b.Bytes()
}

func TestUnknownFormat(t *testing.T) {
	if err := (plots.Figure{}).Write(io.Discard, ".gif"); err == nil {
		t.Error("no error")
	}
}

// What each figure draws when there is nothing to show.
func TestEmpty(t *testing.T) {
	for _, f := range figures(analysis.New(&analysis.Inputs{Kind: analysis.Machine})) {
		if got := drawn(t, f, ".svg"); f.Empty == "" || !strings.Contains(string(got), f.Empty) {
			t.Errorf("%s does not say why it is empty", f.Name)
		}
	}
}

// Names from logs can neither break a picture nor put anything into it.
func TestHostileNames(t *testing.T) {
	r := analysis.New(reporttest.HostileInputs())
	for _, f := range figures(r) {
		got := drawn(t, f, ".svg")
		checkSVG(t, f.Name, got)
		if len(got) > 2<<20 {
			t.Errorf("%s: %d bytes", f.Name, len(got))
		}
		if f.Name == "heatmap" { // the other formats must not fail, and take their time
			drawn(t, f, ".pdf")
			drawn(t, f, ".png")
		}
	}
}

// Readers who point at a cell, a bar or a bin see its numbers.
func TestHover(t *testing.T) {
	want := map[string]string{
		"heatmap":      "<title>machine m2, 21:27:19 UTC\n8.57 s to redo\nin flight 8.57 s</title>",
		"banked":       "<title>21:27:00 to 21:27:10 UTC\nmachine m2\n4.28 s of slot time to redo\n",
		"progress":     "<title>21:27:10 UTC\n17 % reported as done\n",
		"distribution": "<title>50 % of removals of a machine cost at most ",
		"rounds":       "<title>stage 1 (job 0)\nmap at Sum.scala:11\n3 tasks, ",
		"residence":    "<title>m2\n21:27:20 to 21:27:40 UTC\n33.5 MiB still to be read</title>",
		"workers":      "<title>21:27:00 to 21:27:10 UTC\n3 busy\n",
		"timeline":     "<title>stage 2.1, piece 0, task 12, worker 0\n21:27:40 to 21:27:42, 2.85 s\nfinished work run again (owed), because of removal 1</title>",
		"chain":        "<title>shuffle 0: map at Sum.scala:10\nfirst runs finished 21:27:00 to 21:27:01\nrun again 21:27:45 to 21:27:48 in stage 0</title>",
		"exposure":     "<title>stage 0 (shuffle 0)\nmap at Sum.scala:10\n55 % of all risk</title>",
	}
	for _, f := range figures(small()) {
		if got := string(drawn(t, f, ".svg")); !strings.Contains(got, want[f.Name]) {
			t.Errorf("%s has no %q", f.Name, want[f.Name])
		}
	}
}

// checkSVG reads a picture with a strict parser and knows all that may be in it.
func checkSVG(t *testing.T, name string, text []byte) {
	t.Helper()
	elements := map[string]bool{"svg": true, "path": true, "text": true, "title": true, "style": true}
	attrs := map[string]bool{
		"class": true, "d": true, "x": true, "y": true, "width": true, "height": true, "viewBox": true, "role": true, "aria-label": true,
		"font-size": true, "textLength": true, "lengthAdjust": true, "transform": true, "stroke-width": true, "stroke-dasharray": true, "xmlns": true,
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s is no XML: %v", name, err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if !elements[tok.Name.Local] {
				t.Errorf("%s has an element %s", name, tok.Name.Local)
			}
			for _, a := range tok.Attr {
				if !attrs[a.Name.Local] {
					t.Errorf("%s has an attribute %s", name, a.Name.Local)
				}
			}
		case xml.Comment, xml.Directive, xml.ProcInst:
			t.Errorf("%s has a %T", name, tok)
		}
	}
}

// A run of 1,000 machines is still small to load, and its worst cell is there.
func TestWide(t *testing.T) {
	in := reporttest.Inputs(reporttest.Wide())
	worst := &in.Cells[len(in.Cells)/2]
	worst.Parts.Climb = 1e9
	r := analysis.New(in)
	if !r.Heat.HasWorst || r.Heat.Worst.Cell.Unit != worst.Unit || r.Heat.Worst.Cell.FromMs != worst.FromMs {
		t.Errorf("the worst cell is lost: %+v", r.Heat.Worst)
	}
	total := 0
	for _, f := range figures(r) {
		got := drawn(t, f, ".svg")
		checkSVG(t, f.Name, got)
		total += len(got)
	}
	if total > 3<<20 {
		t.Errorf("the figures take %d bytes", total)
	}
}
