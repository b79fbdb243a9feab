package source

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"strings"

	"tracereplay/internal/problem"
)

// indexTar lists the members of a tar file with where their bytes stand, by
// following its headers; the bytes themselves are not read.
func indexTar(path string, data io.ReaderAt, size int64, lim Limits) ([]entry, []problem.Problem, error) {
	section := io.NewSectionReader(data, 0, size)
	tr := tar.NewReader(section)
	var entries []entry
	end := int64(0) // of the last member
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return entries, endOfTar(path, end, size), nil
		}
		at, _ := section.Seek(0, io.SeekCurrent)
		if err != nil {
			return entries, []problem.Problem{brokenTar(path, at, size, err)}, nil
		}
		if int64(len(entries)) == lim.MaxArchiveFiles {
			return nil, nil, &LimitError{Name: path, Limit: "MaxArchiveFiles", Max: lim.MaxArchiveFiles, What: "the archive has more members"}
		}
		entries = append(entries, tarEntry(path, h, data, at, size))
		end = at + (h.Size+tarBlock-1)/tarBlock*tarBlock
	}
}

// endOfTar tells of an archive that ends behind a member: without the blocks of
// zeros that close it, further members may have been cut off.
func endOfTar(path string, end, size int64) []problem.Problem {
	if size >= end+tarBlock {
		return nil
	}
	at := min(end, size)
	return []problem.Problem{{
		Kind: problem.CutFrame, Pos: problem.Pos{File: path, Offset: at}, Skipped: size - at,
		Detail: "the tar archive has no end, members may be lost",
	}}
}

func tarEntry(path string, h *tar.Header, data io.ReaderAt, at, end int64) entry {
	e := entry{name: h.Name, isDir: h.Typeflag == tar.TypeDir, size: h.Size}
	switch {
	case h.Typeflag != tar.TypeReg && !e.isDir:
		e.why = "a link or special file within an archive"
	case isSparse(h):
		e.why = "a sparse file within a tar archive: unpack it first"
	}
	if h.Size > end-at {
		e.size = max(end-at, 0)
		e.found = []problem.Problem{{
			Kind:    problem.CutFrame,
			Pos:     problem.Pos{File: memberPath(path, elements(h.Name)), Offset: e.size},
			Skipped: h.Size - e.size,
			Detail:  "the archive ends inside this member",
		}}
	}
	stored := e.size
	e.open = func() io.Reader { return io.NewSectionReader(data, at, stored) }
	e.at = func() (io.ReaderAt, int64, error) { return io.NewSectionReader(data, at, stored), stored, nil }
	return e
}

// isSparse knows members whose stored bytes are not their content.
func isSparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for k := range h.PAXRecords {
		if strings.HasPrefix(k, "GNU.sparse.") {
			return true
		}
	}
	return false
}

func brokenTar(path string, at, size int64, err error) problem.Problem {
	p := problem.Problem{
		Kind:    problem.CorruptFrame,
		Pos:     problem.Pos{File: path, Offset: min(at, size)},
		Skipped: max(size-at, 0),
		Detail:  fmt.Sprintf("the tar archive does not read on from here, members may be lost: %v", err),
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		p.Kind = problem.CutFrame
		p.Detail = "the tar archive has no end, members may be lost"
	}
	return p
}
