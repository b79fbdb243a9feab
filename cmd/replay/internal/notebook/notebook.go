// Package notebook writes Jupyter notebooks (nbformat 4.5) that are already
// filled in: every code cell carries the output that it would give, so that the
// file renders on a code host and in Jupyter without being run.
//
// Text from logs is only ever the content of an output, escaped for HTML; it
// never becomes code or markdown.
package notebook

import (
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
)

//go:embed cells/*.py
var cells embed.FS

// Cell is the code that draws a figure's like, by the figure's name: it reads
// trace, path and app, which the notebook's first cell sets.
func Cell(figure string) string {
	code, err := cells.ReadFile("cells/" + figure + ".py")
	if err != nil {
		panic("notebook: " + err.Error())
	}
	return strings.TrimSuffix(string(code), "\n")
}

// Notebook is a list of cells.
type Notebook struct {
	cells []cell
	runs  int
}

type cell struct {
	ID       string    `json:"id"`
	Type     string    `json:"cell_type"`
	Metadata struct{}  `json:"metadata"`
	Source   []string  `json:"source"`
	Count    *int      `json:"execution_count,omitempty"`
	Outputs  *[]output `json:"outputs,omitempty"`
}

type output struct {
	Type     string              `json:"output_type"`
	Name     string              `json:"name,omitempty"`
	Text     []string            `json:"text,omitempty"`
	Data     map[string][]string `json:"data,omitempty"`
	Metadata *struct{}           `json:"metadata,omitempty"`
	Count    *int                `json:"execution_count,omitempty"`
}

// Markdown adds a cell of text. It must be ours alone: Quote what comes from a log.
func (n *Notebook) Markdown(text string) {
	n.cells = append(n.cells, cell{ID: n.id(), Type: "markdown", Source: lines(text)})
}

// Text adds a cell whose output is plain text.
func (n *Notebook) Text(code, text string) {
	n.code(code, output{Type: "stream", Name: "stdout", Text: lines(text)})
}

// Picture adds a cell whose output is a PNG.
func (n *Notebook) Picture(code string, png []byte, alt string) {
	n.code(code, output{Type: "display_data", Metadata: &struct{}{}, Data: map[string][]string{
		"image/png": {base64.StdEncoding.EncodeToString(png)}, "text/plain": {alt},
	}})
}

// Table adds a cell whose output is a table.
func (n *Notebook) Table(code string, columns []string, rows [][]string) {
	run := n.runs + 1
	n.code(code, output{Type: "execute_result", Metadata: &struct{}{}, Count: &run, Data: map[string][]string{
		"text/html": lines(htmlTable(columns, rows)), "text/plain": lines(textTable(columns, rows)),
	}})
}

// Code adds a cell without output.
func (n *Notebook) Code(code string) { n.code(code) }

func (n *Notebook) code(code string, out ...output) {
	n.runs++
	run := n.runs
	if out == nil {
		out = []output{}
	}
	n.cells = append(n.cells, cell{ID: n.id(), Type: "code", Source: lines(code), Count: &run, Outputs: &out})
}

func (n *Notebook) id() string { return fmt.Sprintf("cell-%03d", len(n.cells)+1) }

// Write writes the notebook.
func (n *Notebook) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(map[string]any{
		"cells": n.cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{
			"kernelspec":    map[string]string{"display_name": "Python 3", "language": "python", "name": "python3"},
			"language_info": map[string]string{"name": "python"},
		},
	})
}

// lines splits text the way the format wants it: each line keeps its newline.
func lines(s string) []string { return strings.SplitAfter(strings.TrimSuffix(s, "\n"), "\n") }

func htmlTable(columns []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString("<table class=\"tex2jax_ignore mathjax_ignore\">\n<thead><tr>") // $ in a name is no formula
	for _, c := range columns {
		b.WriteString("<th>" + html.EscapeString(c) + "</th>")
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, r := range rows {
		b.WriteString("<tr>")
		for _, v := range r {
			b.WriteString("<td>" + html.EscapeString(v) + "</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table>")
	return b.String()
}

func textTable(columns []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString(strings.Join(columns, "\t"))
	for _, r := range rows {
		b.WriteString("\n" + strings.Join(r, "\t"))
	}
	return b.String()
}

// Quote makes text from a log a markdown code block that it cannot leave.
func Quote(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' {
			return ' '
		}
		return r
	}, s)
	return "    " + strings.ReplaceAll(s, "\n", "\n    ")
}

// PyString writes a Python string literal.
func PyString(s string) string {
	text, _ := json.Marshal(s) // JSON's strings are Python's
	return string(text)
}
