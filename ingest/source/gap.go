package source

import (
	"fmt"

	"tracereplay/internal/problem"
)

// decoder turns a compressed file into text. Read returns a *gap where bytes of
// the file could not be used, always after all text before them; the next Read
// goes on behind the gap, or returns io.EOF if nothing can be read there. Any
// other error is trouble with reading the file itself.
type decoder interface {
	Read(p []byte) (int, error)
	// unfinished reports, after io.EOF, that the end mark was missing.
	unfinished() bool
}

// gap is a stretch of a compressed file that does not decode.
type gap struct {
	kind    problem.Kind // CutFrame or CorruptFrame
	at      int64        // offset in the file of the first byte not used
	skipped int64        // bytes not used
	detail  string
}

func (g *gap) Error() string {
	return fmt.Sprintf("%s at byte %d: %s (%d bytes lost)", g.kind, g.at, g.detail, g.skipped)
}
