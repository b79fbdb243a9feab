package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"tracereplay/analysis"
	"tracereplay/internal/human"
)

// Markdown writes the report in short, for a ticket or a chat.
func Markdown(w io.Writer, r *analysis.Report) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# Blast radius of %s\n\n%s\n\n", md(appName(r), 120), md(facts(r), 1000))
	mdStory(b, r.Story)
	for _, s := range sectionsOf(r) {
		if s.table == nil {
			continue
		}
		for _, t := range s.table(r) {
			mdTable(b, r, s.title, t)
		}
	}
	b.WriteString("\nThe whole report is report.html; every figure by name is in summary.json. The same again:\n\n    " +
		human.Clean(r.In.Command) + "\n")
	return b.Flush()
}

// mdStory writes the paragraph, and what limits it.
func mdStory(b *bufio.Writer, s analysis.Story) {
	for i, sentence := range s.Sentences {
		if i > 0 {
			b.WriteByte(' ')
		}
		mdSentence(b, sentence)
	}
	b.WriteString("\n")
	for _, c := range s.Caveats {
		fmt.Fprintf(b, "\n- %s", md(c, 1000))
	}
	b.WriteString("\n")
}

func mdSentence(b *bufio.Writer, s analysis.Sentence) {
	strong := false
	toggle := func(on bool) {
		if on != strong {
			b.WriteString("**")
			strong = on
		}
	}
	for _, p := range s {
		toggle(p.Strong)
		b.WriteString(md(p.Text, 200))
	}
	toggle(false)
}

func mdTable(b *bufio.Writer, r *analysis.Report, title string, t analysis.Table) {
	if len(t.Rows) == 0 {
		return
	}
	if t.Title != "" {
		title = t.Title
	}
	fmt.Fprintf(b, "\n## %s\n\n", title)
	for _, c := range t.Columns {
		b.WriteString("| " + c.Title + " ")
	}
	b.WriteString("|\n")
	for _, c := range t.Columns {
		if c.Unit == analysis.InText || c.Unit == analysis.InWords || c.Unit == analysis.InInstant {
			b.WriteString("|---")
		} else {
			b.WriteString("|--:")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		for j, c := range t.Columns {
			b.WriteString("| " + md(cellText(r, c, row[j]), mdRoom(c)) + " ")
		}
		b.WriteString("|\n")
	}
	if left := t.Total - len(t.Rows); left > 0 {
		fmt.Fprintf(b, "\n%s more are not shown.\n", human.Count(int64(left)))
	}
}

// mdRoom is how much of a cell stands in a table.
func mdRoom(c analysis.Column) int {
	if c.Unit == analysis.InWords {
		return 4000
	}
	return 60
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// md makes text of a log harmless in markdown: what could begin a link, a tag,
// emphasis, code or a table cell is written as a character reference.
func md(s string, n int) string {
	var b strings.Builder
	text := []rune(human.Cut(s, n))
	for i, r := range text {
		switch r {
		case '_': // inside a word it means nothing
			if i > 0 && i+1 < len(text) && isWord(text[i-1]) && isWord(text[i+1]) {
				b.WriteRune(r)
				continue
			}
			b.WriteString("&#95;")
		case '<', '>', '&', '*', '`', '[', ']', '|', '\\', '~', '#', '!', '$', '@':
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	// A bare address becomes a link without any mark around it.
	return strings.NewReplacer("://", "&#58;//", "www.", "www&#46;").Replace(b.String())
}
