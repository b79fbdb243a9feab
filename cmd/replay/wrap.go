package main

import (
	"strings"
	"unicode/utf8"

	"tracereplay/cmd/replay/internal/render"
)

// wrap breaks a paragraph into lines of at most width characters, at spaces.
// What a terminal could take for a command is made harmless first.
func wrap(s string, width int) string {
	var b strings.Builder
	n := 0
	for _, word := range strings.Fields(render.Safe(s)) {
		w := utf8.RuneCountInString(word)
		switch {
		case n == 0:
		case n+1+w > width:
			b.WriteByte('\n')
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += w
	}
	return b.String()
}
