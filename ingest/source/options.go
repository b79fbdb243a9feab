package source

import (
	"fmt"
	"io"
)

// Options say how logs are found and read. The zero value works.
type Options struct {
	AllowCompacted bool      // take what a compacted rolled log still holds
	Stdin          io.Reader // what "-" reads; nil makes "-" an error
	StdinName      string    // what "-" is called in messages and tables; "" = standard input
	Limits         Limits    // zero fields mean the defaults
	BlockSize      int       // bytes of a block, 0 = DefaultBlockSize
}

// DefaultBlockSize is large enough that Arrow batches made of one block are
// cheap to load, and small enough that a few of them fit in the caches' shadow.
const DefaultBlockSize = 16 << 20

// Limits bound what a hostile or broken input can make us use. A zero field
// means the default.
type Limits struct {
	MaxLine         int64 // bytes of one line; longer ones are skipped (default 256 MiB)
	MaxExpand       int64 // decompressed bytes of one log (default 1 TiB)
	MaxRatio        int64 // decompressed over compressed bytes, beyond the first RatioFree (default 1000)
	RatioFree       int64 // bytes that any input may expand to (default 1 GiB)
	MaxWindow       int64 // memory that one compressed block or window may ask for (default 128 MiB)
	MaxFiles        int64 // directory entries looked at in all (default 250,000)
	MaxDepth        int   // directories below an argument (default 16)
	MaxArchiveFiles int64 // members of one archive (default 100,000)
	MaxArchiveDepth int   // archives within archives, 2 = nested once (default 2)
	MaxSpool        int64 // temporary disk space for archives that cannot be read in place (default 64 GiB)
}

func (l Limits) withDefaults() Limits {
	set64(&l.MaxLine, 256<<20)
	set64(&l.MaxExpand, 1<<40)
	set64(&l.MaxRatio, 1000)
	set64(&l.RatioFree, 1<<30)
	set64(&l.MaxWindow, 128<<20)
	set64(&l.MaxFiles, 250_000)
	set64(&l.MaxArchiveFiles, 100_000)
	set64(&l.MaxSpool, 64<<30)
	if l.MaxDepth <= 0 {
		l.MaxDepth = 16
	}
	if l.MaxArchiveDepth <= 0 {
		l.MaxArchiveDepth = 2
	}
	return l
}

func set64(v *int64, def int64) {
	if *v <= 0 {
		*v = def
	}
}

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.withDefaults()
	if o.BlockSize <= 0 {
		o.BlockSize = DefaultBlockSize
	}
	// A buffer never holds more than one longest line, so that whether a line
	// is too long does not depend on where in a block it starts.
	o.BlockSize = int(min(int64(o.BlockSize), o.Limits.MaxLine))
	return o
}

// LimitError is an input that asks for more than a limit allows.
type LimitError struct {
	Name  string // the input
	Limit string // the field of Limits
	Max   int64
	What  string // what was asked for
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: %s; the limit %s is %d, raise it if this input can be trusted", e.Name, e.What, e.Limit, e.Max)
}

// expanded checks how much text an input has expanded to.
func (l Limits) expanded(name string, stored, text int64) error {
	if text > l.RatioFree && text/l.MaxRatio > stored {
		return &LimitError{Name: name, Limit: "MaxRatio", Max: l.MaxRatio, What: fmt.Sprintf("%d bytes have expanded to %d", stored, text)}
	}
	return nil
}
