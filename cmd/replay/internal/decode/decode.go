// Package decode turns a log into batches of events on several cores, in the
// order of the log:
//
//  1. The reader goroutine takes blocks from the log and puts each, with an
//     empty batch, into two queues: todo for whoever is free, and order.
//  2. A worker takes a job from todo, decodes it, gives the block's memory back
//     and closes the job's done.
//  3. The caller takes jobs from order, waits for done, and uses the batch,
//     which then goes back to be filled again.
//
// order is bounded, so that memory is: no more blocks than it has places are
// between the reader and the caller, however slow one of them is.
package decode

import (
	"context"
	"errors"
	"io"
	"sync"

	"tracereplay/ingest"
	"tracereplay/ingest/source"
)

// Decoder turns blocks into events; see spark.Decoder. Each worker has its own.
type Decoder interface {
	Decode(b *ingest.Batch, data []byte, file string, offset, line, seq int64, cut bool)
}

// Reader gives blocks in order, io.EOF after the last; see source.Reader.
type Reader interface {
	Next() (*source.Block, error)
}

// Options say how a log is decoded.
type Options struct {
	Workers    int // goroutines that decode, at least 1
	NewDecoder func() Decoder
	FileOf     func(part int) string // name of a part, for positions
}

// ReadError is an error of the reader. All that it gave before has been used.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return e.Err.Error() }
func (e *ReadError) Unwrap() error { return e.Err }

// Run hands each block's events to use, in the order of the log. Block and
// batch are valid during the call only, and the block has no data any more. An
// error of use, of the reader (a ReadError) or of ctx ends it. When it returns, nothing uses
// the reader any more, except that a call of Next may still wait for a pipe that
// gives nothing: close the reader.
func Run(ctx context.Context, r Reader, opt Options, use func(*source.Block, *ingest.Batch) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := max(1, opt.Workers)
	d := &decoding{
		reader: r, opt: opt,
		todo: make(chan *job), order: make(chan *job, workers+1), free: make(chan *ingest.Batch, workers+3),
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { d.work(ctx) })
	}
	go d.read(ctx)
	err := d.merge(ctx, use)
	cancel()
	wg.Wait()
	return err
}

// job is one block on its way to a batch.
type job struct {
	block *source.Block
	batch *ingest.Batch
	done  chan struct{}
}

// decoding is one log being decoded.
type decoding struct {
	reader Reader
	opt    Options
	todo   chan *job
	order  chan *job
	free   chan *ingest.Batch
	err    error // of the reader; set before order is closed
}

func (d *decoding) read(ctx context.Context) {
	defer close(d.todo)
	defer close(d.order)
	for {
		b, err := d.reader.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			d.err = &ReadError{err}
			return
		}
		j := &job{b, d.batch(), make(chan struct{})}
		if !put(ctx, d.order, j) || !put(ctx, d.todo, j) {
			return
		}
	}
}

func put(ctx context.Context, to chan<- *job, j *job) bool {
	select {
	case to <- j:
		return true
	case <-ctx.Done():
		return false
	}
}

// batch is an empty batch, with the memory of an earlier one if there is one.
func (d *decoding) batch() *ingest.Batch {
	select {
	case b := <-d.free:
		return b
	default:
		return &ingest.Batch{}
	}
}

func (d *decoding) work(ctx context.Context) {
	dec := d.opt.NewDecoder()
	for {
		select {
		case j, ok := <-d.todo:
			if !ok {
				return
			}
			b := j.block
			dec.Decode(j.batch, b.Data, d.opt.FileOf(b.Part), b.Offset, b.Line, b.Seq, b.Cut)
			b.Release()
			close(j.done)
		case <-ctx.Done():
			return
		}
	}
}

func (d *decoding) merge(ctx context.Context, use func(*source.Block, *ingest.Batch) error) error {
	for {
		select {
		case j, ok := <-d.order:
			if !ok {
				return d.err
			}
			if err := d.hand(ctx, j, use); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hand waits for a job and hands its batch on.
func (d *decoding) hand(ctx context.Context, j *job, use func(*source.Block, *ingest.Batch) error) error {
	select {
	case <-j.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := use(j.block, j.batch); err != nil {
		return err
	}
	j.batch.Reset()
	select {
	case d.free <- j.batch:
	default:
	}
	return nil
}
