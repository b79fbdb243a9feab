package source

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"

	"tracereplay/internal/problem"
)

const (
	zipStored  = 0
	zipDeflate = 8
	zipZstd    = 93

	zipEncrypted = 0x1 // general purpose flags
	zipStreamed  = 0x8 // sizes follow the data
)

// indexZip lists the members of a zip file. One without its directory, which
// stands at the end, is cut: then the headers before each member are followed.
func indexZip(path string, data io.ReaderAt, size int64, lim Limits) ([]entry, []problem.Problem, error) {
	// The directory is read into memory whole; a name may have 64 KB, so what
	// is read is bounded, not only the number of members.
	budget := &budgetReader{r: data, left: 64<<20 + 512*lim.MaxArchiveFiles}
	zr, err := zip.NewReader(budget, size)
	tooMany := &LimitError{Name: path, Limit: "MaxArchiveFiles", Max: lim.MaxArchiveFiles, What: "the archive has more members"}
	switch {
	case budget.left < 0:
		return nil, nil, tooMany
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return salvageZip(path, data, size, lim)
	case int64(len(zr.File)) > lim.MaxArchiveFiles:
		return nil, nil, tooMany
	}
	entries := make([]entry, 0, len(zr.File))
	for _, f := range zr.File {
		entries = append(entries, zipEntry(f, data, lim))
	}
	return entries, nil, nil
}

// budgetReader fails once more has been read than planned.
type budgetReader struct {
	r    io.ReaderAt
	left int64
}

func (b *budgetReader) ReadAt(p []byte, off int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, errors.New("the directory of the archive is too large")
	}
	return b.r.ReadAt(p, off)
}

func zipEntry(f *zip.File, data io.ReaderAt, lim Limits) entry {
	e := entry{name: f.Name, isDir: f.FileInfo().IsDir(), size: int64(f.CompressedSize64)}
	mode := f.Mode()
	if !e.isDir && !mode.IsRegular() {
		e.why = "a link or special file within an archive"
	}
	if why := zipWhyNot(f.Method, f.Flags); why != "" {
		e.why = why
	}
	at, err := f.DataOffset()
	if err != nil && e.why == "" {
		e.why = fmt.Sprintf("its header in the archive is damaged: %v", err)
	}
	want := &zipSum{crc: f.CRC32, size: f.UncompressedSize64}
	e.section(data, at, f.Method, want, lim)
	return e
}

// section makes the member's bytes readable. want is nil if its sum is unknown.
func (e *entry) section(data io.ReaderAt, at int64, method uint16, want *zipSum, lim Limits) {
	stored := e.size
	e.open = func() io.Reader { return io.NewSectionReader(data, at, stored) }
	e.wrap = func(r io.Reader) io.Reader { return newZipMember(r, method, want, lim) }
	if method == zipStored {
		e.at = func() (io.ReaderAt, int64, error) { return io.NewSectionReader(data, at, stored), stored, nil }
	}
}

func zipWhyNot(method, flags uint16) string {
	switch {
	case flags&zipEncrypted != 0:
		return "encrypted: unpack it first"
	case method != zipStored && method != zipDeflate && method != zipZstd:
		return fmt.Sprintf("packed with zip method %d, which is not supported: unpack it first", method)
	}
	return ""
}
