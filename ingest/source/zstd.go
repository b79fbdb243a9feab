package source

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"tracereplay/internal/problem"
)

// zstdDecoder reads a sequence of zstd frames. From Spark 3.0 on a frame ends
// at every flush of the log, so a file is many frames, and the last one of a
// killed driver is cut. The library decodes; zstdTrack stands between it and
// the file, so that the place of every frame and block is known when one fails.
type zstdDecoder struct {
	src   *byteSource
	track *zstdTrack
	lib   *zstd.Decoder
	max   int64
	done  bool
}

func newZstd(src *byteSource, maxWindow int64) (*zstdDecoder, error) {
	track := &zstdTrack{src: src}
	// Concurrency 1 decodes in the caller's goroutine: measured faster than the
	// library's own pipeline on two cores, and the reader has a goroutine already.
	lib, err := zstd.NewReader(track, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(uint64(maxWindow)))
	if err != nil {
		return nil, err
	}
	return &zstdDecoder{src: src, track: track, lib: lib, max: maxWindow}, nil
}

func (d *zstdDecoder) unfinished() bool { return false }

func (d *zstdDecoder) Read(p []byte) (int, error) {
	if d.done {
		return 0, io.EOF
	}
	n, err := d.lib.Read(p)
	if err == nil {
		return n, nil
	}
	if ioErr := d.src.failed(); ioErr != nil {
		return n, ioErr
	}
	if err == io.EOF {
		d.done = true
		d.lib.Close()
		return n, io.EOF
	}
	if n == 0 && d.track.step == zstdAtChecksum && d.src.atEnd() {
		// Only the checksum is cut: the last block is whole, and the library
		// still holds it.
		if n, _ = d.lib.Read(p); n > 0 {
			return n, nil
		}
	}
	return n, d.fail(err)
}

// fail turns an error of the library into a gap, and looks for the next frame.
func (d *zstdDecoder) fail(err error) error {
	g := &gap{kind: problem.CorruptFrame, at: d.track.unit, detail: d.reason(err)}
	if errors.Is(err, io.ErrUnexpectedEOF) && d.track.inside() && d.src.atEnd() {
		g.kind, g.detail = problem.CutFrame, "the file ends inside a zstd frame"
	}
	d.src.rewind(g.at + 1)
	found := d.src.seek(zstdMagic, d.plausible)
	g.skipped = d.src.offset() - g.at
	if !found {
		d.done = true
		d.lib.Close()
		return g
	}
	g.kind = problem.CorruptFrame
	d.track.reset()
	if err := d.lib.Reset(d.track); err != nil {
		return err
	}
	return g
}

// reason words an error of the library.
func (d *zstdDecoder) reason(err error) string {
	switch {
	case d.track.step == zstdAtBlockHeader && d.track.unit == d.track.frame &&
		(errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded)):
		return fmt.Sprintf("a zstd frame asks for a window beyond the limit MaxWindow (%d bytes)", d.max)
	case errors.Is(err, zstd.ErrUnknownDictionary):
		return "a zstd frame needs a dictionary, which no event log has"
	case errors.Is(err, zstd.ErrCRCMismatch):
		return "the checksum of a zstd frame does not match; text that it gave before may be wrong"
	}
	return "zstd: " + err.Error()
}

// plausible checks a frame header behind the magic: the reserved bit is clear
// and the first block is of a known type and a legal size.
func (d *zstdDecoder) plausible() bool {
	h := d.src.peek(zstdMaxHeader + 3)
	if len(h) < 9 || h[4]&0x08 != 0 {
		return false
	}
	n := zstdHeaderSize(h[4])
	if len(h) < n+3 {
		return false
	}
	_, size, kind := zstdBlockHeader(h[n:])
	return kind != 3 && size <= zstdMaxBlock
}
