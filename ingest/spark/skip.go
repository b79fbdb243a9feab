package spark

import "bytes"

// The functions below step over JSON: each takes the place where something
// begins and returns the place behind it, or -1 when that is not JSON. They are
// strict, so that what they step over is what jx steps over too.

// maxDepth is how deep values may nest; jx has the same limit.
const maxDepth = 10000

// objectEnd is where the object that b begins with ends, len(b) if it does not.
func objectEnd(b []byte) int {
	if end := skipValue(b, 0, 0); end >= 0 {
		return end
	}
	return len(b)
}

// skipSpace steps over space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue steps over a value inside of depth others.
func skipValue(b []byte, i, depth int) int {
	if i = skipSpace(b, i); i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{':
		return skipMembers(b, i+1, depth+1)
	case '[':
		return skipElements(b, i+1, depth+1)
	case 't':
		return skipWord(b, i, "true")
	case 'f':
		return skipWord(b, i, "false")
	case 'n':
		return skipWord(b, i, "null")
	}
	return skipNumber(b, i)
}

// skipMembers steps over an object behind its brace.
func skipMembers(b []byte, i, depth int) int {
	if depth > maxDepth {
		return -1
	}
	if i = skipSpace(b, i); i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		if i = skipSpace(b, i); i >= len(b) || b[i] != '"' {
			return -1
		}
		if i = skipString(b, i); i < 0 {
			return -1
		}
		if i = skipSpace(b, i); i >= len(b) || b[i] != ':' {
			return -1
		}
		if i = skipValue(b, i+1, depth); i < 0 {
			return -1
		}
		if i = skipSpace(b, i); i >= len(b) {
			return -1
		}
		switch b[i] {
		case '}':
			return i + 1
		case ',':
			i++
		default:
			return -1
		}
	}
}

// skipElements steps over an array behind its bracket.
func skipElements(b []byte, i, depth int) int {
	if depth > maxDepth {
		return -1
	}
	if i = skipSpace(b, i); i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		if i = skipValue(b, i, depth); i < 0 {
			return -1
		}
		if i = skipSpace(b, i); i >= len(b) {
			return -1
		}
		switch b[i] {
		case ']':
			return i + 1
		case ',':
			i++
		default:
			return -1
		}
	}
}

// skipString steps over a string; b[i] is its first quote.
func skipString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = skipEscape(b, i); i < 0 {
				return -1
			}
		case c < ' ':
			return -1
		}
	}
	return -1
}

// skipEscape steps to the last byte of an escape; b[i] is its backslash.
func skipEscape(b []byte, i int) int {
	if i+1 >= len(b) {
		return -1
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		if i+5 >= len(b) {
			return -1
		}
		for _, c := range b[i+2 : i+6] {
			if !isHex(c) {
				return -1
			}
		}
		return i + 5
	}
	return -1
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// skipWord steps over true, false or null.
func skipWord(b []byte, i int, word string) int {
	if bytes.HasPrefix(b[i:], []byte(word)) {
		return i + len(word)
	}
	return -1
}

// skipNumber steps over a number.
func skipNumber(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	start := i
	if i = skipDigits(b, i); i < 0 || b[start] == '0' && i > start+1 {
		return -1
	}
	if i < len(b) && b[i] == '.' {
		if i = skipDigits(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		i = skipDigits(b, i)
	}
	return i
}

// skipDigits steps over one digit or more.
func skipDigits(b []byte, i int) int {
	start := i
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	if i == start {
		return -1
	}
	return i
}
