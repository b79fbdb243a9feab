package source

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Fingerprint tells whether a log is the one that was read before: it is made
// of the names, sizes and times of its files. It is "" where those cannot be
// known: of a stream, and of a member of an archive.
func (l *Log) Fingerprint() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %v %v\n", l.Name, l.AppID, l.AppAttempt, l.InProgress, l.Compacted)
	for _, p := range l.Parts {
		info := p.node.info
		if info == nil || !info.Mode().IsRegular() {
			return ""
		}
		fmt.Fprintf(h, "%q %d %d\n", p.Name, info.Size(), info.ModTime().UnixNano())
	}
	for _, f := range l.found {
		fmt.Fprintf(h, "%+v\n", f)
	}
	return hex.EncodeToString(h.Sum(nil))
}
