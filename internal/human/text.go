package human

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes one line of s in which nothing can act: control characters, line
// and paragraph ends, marks that turn or hide the text around them, and bytes
// that are no UTF-8 become visible replacements.
func Clean(s string) string {
	if harmless(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		b.WriteRune(visible(r))
	}
	return b.String()
}

func harmless(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// visible is r, or what stands for it.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
		return ' '
	case r < ' ':
		return '\u2400' + r // the picture of the control character
	case r == 0x7f:
		return '\u2421'
	case r >= 0x80 && r < 0xa0, r == utf8.RuneError:
		return '\ufffd'
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), r == '\u3164', r == '\u115f', r == '\u1160', r == '\uffa0':
		return '\ufffd' // bidi marks, joiners, tags, and letters that look like nothing
	case r&0xfffe == 0xfffe: // no characters; XML forbids the first two
		return '\ufffd'
	case unicode.Is(unicode.Zs, r):
		return ' '
	default:
		return r
	}
}

// Cut is Clean of s, with at most n characters; the last is an ellipsis when
// something was left off.
func Cut(s string, n int) string {
	s, whole := head(s, n)
	s = Clean(s)
	if whole {
		return s
	}
	return strings.TrimRight(dropLast(s), " ") + "…"
}

// CutMiddle is Cut, with what is left off taken from the middle: the ends of a
// host's name tell more than its middle.
func CutMiddle(s string, n int) string {
	if utf8.RuneCountInString(s) <= n || n < 4 {
		return Cut(s, n)
	}
	runes := []rune(s)
	front := n / 2
	return Clean(string(runes[:front])) + "…" + Clean(string(runes[len(runes)-(n-front-1):]))
}

// head is the first n characters of s. Whole tells that they are all.
func head(s string, n int) (string, bool) {
	count := 0
	for i := range s {
		if count++; count > n {
			return s[:i], false
		}
	}
	return s, true
}

func dropLast(s string) string {
	_, size := utf8.DecodeLastRuneInString(s)
	return s[:len(s)-size]
}

// Compare orders names as people do: digits by their value, so that m2 comes
// before m10. Names that read alike are ordered by their bytes.
func Compare(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		dx, rx := number(x)
		dy, ry := number(y)
		if dx != "" && dy != "" {
			if c := compareNumbers(dx, dy); c != 0 {
				return c
			}
			x, y = rx, ry
			continue
		}
		if x[0] != y[0] {
			return int(x[0]) - int(y[0])
		}
		x, y = x[1:], y[1:]
	}
	if c := len(x) - len(y); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// number splits the digits off the front of s.
func number(s string) (digits, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
