package spark

import (
	"bytes"

	"tracereplay/internal/table"
)

// cursor reads JSON the way Spark writes it: without space between tokens and
// without escapes where it matters. At anything else, and at what is not JSON,
// it turns bad, and stays so; the line is then read another way. A bad cursor
// has no members, so that loops over them end.
//
//	for key, ok := c.first(); ok; key, ok = c.next() {
//		... read or skip the value ...
//	}
type cursor struct {
	b   []byte
	i   int
	bad bool
}

// first steps into an object and to the value of its first member.
func (c *cursor) first() (key string, ok bool) {
	if !c.take('{') {
		return "", false
	}
	if c.i < len(c.b) && c.b[c.i] == '}' {
		c.i++
		return "", false
	}
	return c.key()
}

// next steps from the end of a member to the value of the next one, or out of
// the object.
func (c *cursor) next() (key string, ok bool) {
	if c.bad || c.i >= len(c.b) {
		c.bad = true
		return "", false
	}
	switch c.b[c.i] {
	case ',':
		c.i++
		return c.key()
	case '}':
		c.i++
	default:
		c.bad = true
	}
	return "", false
}

// key reads a key and its colon. The string is a view of the line: it costs
// nothing and must not be kept. A key with an escape is none that we know;
// callers that skip unknown members must ask plain about it.
func (c *cursor) key() (key string, ok bool) {
	if !c.take('"') {
		return "", false
	}
	n := bytes.IndexByte(c.b[c.i:], '"')
	if n < 0 {
		c.bad = true
		return "", false
	}
	key = view(c.b[c.i : c.i+n])
	c.i += n + 1
	return key, c.take(':')
}

// take steps over one byte, which must be t.
func (c *cursor) take(t byte) bool {
	if c.i < len(c.b) && c.b[c.i] == t {
		c.i++
		return true
	}
	c.bad = true
	return false
}

// int reads an integer of up to 18 digits.
func (c *cursor) int() int64 {
	b, i := c.b, c.i
	negative := i < len(b) && b[i] == '-'
	if negative {
		i++
	}
	start := i
	v := int64(0)
	for i < len(b) && b[i]-'0' <= 9 {
		v = v*10 + int64(b[i]-'0')
		i++
	}
	n := i - start
	if n == 0 || n > 15 || n > 1 && b[start] == '0' { // the slow way looks at larger ones
		c.bad = true
	}
	c.i = i
	if negative {
		v = -v
	}
	return v
}

// opt reads an integer into a place for one.
func (c *cursor) opt(to *table.I64) {
	to.V = c.int()
	to.OK = true
}

// instant reads a moment; the slow way looks at those that cannot be.
func (c *cursor) instant() int64 {
	v := c.int()
	if v < minInstant || v > maxInstant {
		c.bad = true
	}
	return v
}

// orUnknown is v, or unknown where it is less than least.
func orUnknown(least, v int64) table.I64 {
	if v < least {
		return table.I64{}
	}
	return table.Some(v)
}

// text reads a string without escapes that need not be cut.
func (c *cursor) text() []byte {
	if !c.take('"') {
		return nil
	}
	b, start := c.b, c.i
	for i := start; i < min(len(b), start+maxText); i++ {
		switch ch := b[i]; {
		case ch == '"':
			c.i = i + 1
			return b[start:i]
		case ch < ' ' || ch == '\\':
			c.bad = true
			return nil
		}
	}
	c.bad = true
	return nil
}

// bool reads true or false.
func (c *cursor) bool() bool {
	v := c.literal("true")
	if !v && !c.literal("false") {
		c.bad = true
	}
	return v
}

// literal steps over a text if it stands here.
func (c *cursor) literal(s string) bool {
	if len(c.b)-c.i < len(s) || string(c.b[c.i:c.i+len(s)]) != s {
		return false
	}
	c.i += len(s)
	return true
}

// skip steps over a value that lies in depth others, whose key it is given.
func (c *cursor) skip(key string, depth int) {
	if c.bad = c.bad || !plain(key); c.bad {
		return
	}
	if c.i = skipValue(c.b, c.i, depth); c.i < 0 {
		c.bad = true
	}
}

// plain tells whether a key has no escapes and is valid in JSON.
func plain(key string) bool {
	for i := range len(key) {
		if key[i] < ' ' || key[i] == '\\' {
			return false
		}
	}
	return true
}
