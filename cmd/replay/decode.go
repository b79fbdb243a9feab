package main

import (
	"context"
	"errors"
	"io"
	"sync"

	"tracereplay/ingest"
	"tracereplay/ingest/source"
	"tracereplay/ingest/spark"
)

// A log is decoded by several goroutines and comes out in its own order:
//
//  1. The reader goroutine takes blocks from the log and puts each, with an
//     empty batch, into two queues: todo for whoever is free, and order.
//  2. A worker takes a job from todo, decodes it, gives the block's memory back
//     and closes the job's done.
//  3. The caller takes jobs from order, waits for done, and uses the batch,
//     which then goes back to be filled again.
//
// order is bounded, so that memory is: at most its length of blocks is between
// the reader and the caller.

// job is one block on its way to a batch.
type job struct {
	block *source.Block
	batch *ingest.Batch
	done  chan struct{}
}

// decoding is one log being decoded.
type decoding struct {
	log    *source.Log
	reader *source.Reader
	opt    spark.Options
	todo   chan *job
	order  chan *job
	free   chan *ingest.Batch
	err    error // of the reader; set before order is closed
}

// decode hands each block of the log, decoded, to use, in order. Both are
// valid during the call only; the block has no data any more.
func decode(ctx context.Context, log *source.Log, reader *source.Reader, opt spark.Options, workers int,
	use func(*source.Block, *ingest.Batch) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := &decoding{
		log: log, reader: reader, opt: opt,
		todo: make(chan *job), order: make(chan *job, workers+1), free: make(chan *ingest.Batch, workers+3),
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { d.work(ctx) })
	}
	// Not waited for: a pipe that gives nothing may hold it.
	go d.read(ctx)
	err := d.merge(ctx, use)
	cancel()
	wg.Wait()
	return err
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
			d.err = err
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
	dec := spark.NewDecoder(d.opt)
	for {
		select {
		case j, ok := <-d.todo:
			if !ok {
				return
			}
			b := j.block
			dec.Decode(j.batch, b.Data, d.log.Parts[b.Part].Name, b.Offset, b.Line, b.Seq, b.Cut)
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
			if err := d.one(ctx, j, use); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (d *decoding) one(ctx context.Context, j *job, use func(*source.Block, *ingest.Batch) error) error {
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
