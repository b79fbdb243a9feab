package source

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"tracereplay/internal/problem"
)

// Block is a run of whole lines of one part.
type Block struct {
	Data   []byte // lines, each ended by '\n' except perhaps the last; valid until Release
	Part   int    // index into Log.Parts
	Offset int64  // of Data[0] in the part's decompressed text, as far as that could be read
	Line   int64  // number of the first line in the part, from 1, counted in what could be read
	Seq    int64  // number of the first line over all parts, from 1
	Cut    bool   // the last line has no '\n': the part, or what can be read of it, ends there

	put func([]byte)
}

// Release gives the block's buffer back to the reader. Data must not be used
// after it. A block that is never released is left to the garbage collector.
func (b *Block) Release() {
	if b.put == nil {
		return
	}
	b.put(b.Data)
	b.Data, b.put = nil, nil
}

// Reader reads the parts of one log in order, ahead of its consumer. One
// goroutine may call Next; Release and Progress are safe from any.
type Reader struct {
	log    *Log
	opt    Options
	blocks chan *Block
	stop   chan struct{}
	ended  chan struct{}
	once   sync.Once
	pool   pool
	read   atomic.Int64
	total  int64
	seq    int64
	text   int64 // decompressed bytes of the parts before the current one
	more   int64 // problems not recorded one by one
	err    error // set before blocks is closed

	problems []problem.Problem
	stats    []PartStat
}

// Open starts to read the log.
func (l *Log) Open(opt Options) (*Reader, error) {
	opt = opt.withDefaults()
	r := &Reader{
		log:      l,
		opt:      opt,
		blocks:   make(chan *Block, 1),
		stop:     make(chan struct{}),
		ended:    make(chan struct{}),
		pool:     pool{max: 2 * opt.BlockSize},
		seq:      1,
		problems: append([]problem.Problem(nil), l.found...),
	}
	for _, p := range l.Parts {
		if p.Size < 0 {
			r.total = -1
			break
		}
		r.total += p.Size
	}
	go r.run()
	return r, nil
}

// Next returns the next block, io.EOF after the last one, and any other error
// if reading had to stop; all that could be read before was handed out then.
func (r *Reader) Next() (*Block, error) {
	if b, ok := <-r.blocks; ok {
		return b, nil
	}
	if r.err != nil {
		return nil, r.err
	}
	return nil, io.EOF
}

// Problems tells what was wrong with the input. It is complete once Next has
// returned an error, and must not be called before.
func (r *Reader) Problems() []problem.Problem { return r.problems }

// PartStats has one entry for each part that was read; the same rule applies.
func (r *Reader) PartStats() []PartStat { return r.stats }

// Progress returns the bytes as stored that were read, and how many there are,
// -1 if that is unknown.
func (r *Reader) Progress() (read, total int64) { return r.read.Load(), r.total }

// Close stops reading. It is needed only before Next has returned an error, and
// harmless after.
func (r *Reader) Close() error {
	r.once.Do(func() { close(r.stop) })
	for _, p := range r.log.Parts {
		if p.node.kind == nodeStream {
			return nil // its read may block for ever
		}
	}
	<-r.ended
	return nil
}

func (r *Reader) run() {
	defer close(r.ended)
	defer close(r.blocks)
	for i, p := range r.log.Parts {
		if err := r.part(i, p); err != nil {
			if err != errStopped {
				r.err = err
			}
			return
		}
	}
}

func (r *Reader) part(i int, p *Part) error {
	t, err := openText(p.node, r.opt.Limits, &r.read)
	if err != nil {
		return fmt.Errorf("%s: opening: %w", p.Name, err)
	}
	defer t.Close()
	s := &splitter{
		src:   t,
		max:   int(r.opt.Limits.MaxLine),
		size:  r.opt.BlockSize,
		get:   r.pool.get,
		put:   r.pool.put,
		emit:  r.emit,
		told:  func(pr problem.Problem) { r.tell(p, pr) },
		guard: func(text int64) error { return r.guard(p, t, text) },
		part:  i,
		line:  1,
		seq:   r.seq,
	}
	err = s.run()
	if g := t.lower(); g != nil {
		s.tell(g)
	}
	r.stats = append(r.stats, PartStat{
		Name:       p.Name,
		Codec:      t.codec,
		Lines:      s.line - 1,
		TextBytes:  s.offset,
		DiskBytes:  t.raw.n,
		Unfinished: t.unfinished(),
	})
	r.seq = s.seq
	r.text += s.offset
	return named(p.Name, err)
}

// mostProblems bounds what one log can make us remember. A file made to be
// broken every few bytes would otherwise grow the list without end.
const mostProblems = 10_000

// tell records a problem of a part. Beyond the bound only the bytes are summed.
func (r *Reader) tell(p *Part, pr problem.Problem) {
	pr.Pos.File = p.Name
	if len(r.problems) < mostProblems {
		r.problems = append(r.problems, pr)
		return
	}
	last := &r.problems[len(r.problems)-1]
	r.more++
	last.Skipped += pr.Skipped
	last.Detail = fmt.Sprintf("this and %d more problems; the bytes are the sum of all", r.more)
}

// named puts the input's name before an error that lacks it.
func named(name string, err error) error {
	var limit *LimitError
	if err == nil || err == errStopped || errors.As(err, &limit) {
		return err
	}
	return fmt.Errorf("%s: reading: %w", name, err)
}

func (r *Reader) emit(b *Block) bool {
	select {
	case <-r.stop:
		return false
	default:
	}
	select {
	case r.blocks <- b:
		return true
	case <-r.stop:
		return false
	}
}

// guard stops an input that expands beyond belief.
func (r *Reader) guard(p *Part, t *text, text int64) error {
	lim := r.opt.Limits
	if !t.packed {
		return nil
	}
	if r.text+text > lim.MaxExpand {
		return &LimitError{Name: p.Name, Limit: "MaxExpand", Max: lim.MaxExpand, What: "the log expands to more bytes than that"}
	}
	return lim.expanded(p.Name, t.raw.n, text)
}
