package decode

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"tracereplay/ingest"
	"tracereplay/ingest/source"
)

// blocks gives n blocks whose Seq counts from 1, then end.
type blocks struct {
	n, given int
	end      error
}

func (b *blocks) Next() (*source.Block, error) {
	if b.given == b.n {
		return nil, b.end
	}
	b.given++
	return &source.Block{Data: []byte("x\n"), Seq: int64(b.given)}, nil
}

// slow decodes a block to one unpersist event with its seq, after a while.
type slow struct{ most time.Duration }

func (s slow) Decode(b *ingest.Batch, _ []byte, _ string, _, _, seq int64, _ bool) {
	time.Sleep(rand.N(s.most + 1))
	if len(b.Others) > 0 {
		panic("a batch with something in it")
	}
	b.AddOther(&ingest.Unpersist{RDD: seq})
}

func options(workers int, most time.Duration) Options {
	return Options{
		Workers: workers, NewDecoder: func() Decoder { return slow{most} },
		FileOf: func(int) string { return "f" },
	}
}

// settled waits until no more goroutines run than before.
func settled(t *testing.T, before int) {
	t.Helper()
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

func TestOrder(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, workers := range []int{0, 1, 2, 7} {
		next := int64(1)
		err := Run(t.Context(), &blocks{n: 300, end: io.EOF}, options(workers, 300*time.Microsecond), func(b *source.Block, batch *ingest.Batch) error {
			if got := batch.Others[0].(*ingest.Unpersist).RDD; got != next || b.Seq != next || len(batch.Others) != 1 {
				t.Errorf("%d workers: block %d with events of %d, want %d", workers, b.Seq, got, next)
			}
			next++
			return nil
		})
		if err != nil || next != 301 {
			t.Errorf("%d workers: %d blocks, %v", workers, next-1, err)
		}
	}
	settled(t, before)
}

// A slow user holds the reader back.
func TestBounded(t *testing.T) {
	const workers = 3
	var used atomic.Int64
	b := &counted{blocks: blocks{n: 100, end: io.EOF}, used: &used}
	err := Run(t.Context(), b, options(workers, 0), func(*source.Block, *ingest.Batch) error {
		time.Sleep(time.Millisecond)
		used.Add(1)
		return nil
	})
	if most := int64(workers + 4); err != nil || b.ahead > most {
		t.Errorf("the reader was %d blocks ahead, at most %d are right (%v)", b.ahead, most, err)
	}
}

// counted notes how far its reader gets ahead of the user.
type counted struct {
	blocks
	used  *atomic.Int64
	ahead int64
}

func (c *counted) Next() (*source.Block, error) {
	b, err := c.blocks.Next()
	c.ahead = max(c.ahead, int64(c.given)-c.used.Load())
	return b, err
}

func TestErrors(t *testing.T) {
	before := runtime.NumGoroutine()
	broken := errors.New("broken")
	n := 0
	err := Run(t.Context(), &blocks{n: 50, end: broken}, options(2, 0), func(*source.Block, *ingest.Batch) error {
		n++
		return nil
	})
	if !errors.Is(err, broken) || n != 50 {
		t.Errorf("after an error of the reader: %v, %d blocks used of the 50 before it", err, n)
	}
	err = Run(t.Context(), &blocks{n: 50, end: io.EOF}, options(2, 0), func(b *source.Block, _ *ingest.Batch) error {
		if b.Seq == 7 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) {
		t.Errorf("after an error of the user: %v", err)
	}
	settled(t, before)
}

func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	err := Run(ctx, &blocks{n: 1 << 30, end: io.EOF}, options(2, time.Millisecond), func(b *source.Block, _ *ingest.Batch) error {
		if b.Seq == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	settled(t, before)
}

// mute is a pipe that gives nothing.
type mute struct{ ended chan struct{} }

func (m mute) Next() (*source.Block, error) {
	<-m.ended
	return nil, io.EOF
}

func TestCancelWhileThePipeIsMute(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	m := mute{make(chan struct{})}
	if err := Run(ctx, m, options(1, 0), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	close(m.ended)
	settled(t, before)
}
