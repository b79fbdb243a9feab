package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// Members that cannot be read are told, and the others are read.
func TestOddMembers(t *testing.T) {
	a := applog("app-a", 5, true)
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	must(w.WriteHeader(&tar.Header{Name: "d/", Typeflag: tar.TypeDir}))
	must(w.WriteHeader(&tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}))
	must(w.WriteHeader(&tar.Header{Name: "dev", Typeflag: tar.TypeChar}))
	must(w.WriteHeader(&tar.Header{Name: "a", Size: int64(len(a))}))
	_, err := io.WriteString(w, a)
	must(err)
	must(w.WriteHeader(&tar.Header{Name: strings.Repeat("n", longestName+1)}))
	must(w.Close())
	dir := tree(t, map[string]string{"t": b.String(), "z": oddZip(a)})
	want := `log t!a app "app-a": a(none)
note t: skipped: a member with a name of 4097 bytes
note t!dev: skipped: a link or special file within an archive
note t!link: skipped: a link or special file within an archive
`
	if got := resolved(dir, []string{"t"}, Options{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = `log z!a app "app-a": a(none)
note z!bzip2: skipped: packed with zip method 12, which is not supported: unpack it first
note z!secret: skipped: encrypted: unpack it first
`
	if got := resolved(dir, []string{"z"}, Options{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// oddZip has a member of an unknown method, an encrypted one, and one twice.
func oddZip(log string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, h := range []zip.FileHeader{{Name: "bzip2", Method: 12}, {Name: "secret", Flags: zipEncrypted}} {
		_, err := w.CreateRaw(&h)
		must(err)
	}
	for _, content := range []string{"an older state of it", log} {
		f, err := w.Create("a")
		must(err)
		_, err = io.WriteString(f, content)
		must(err)
	}
	must(w.Close())
	return b.String()
}

// Where there is no room for a temporary copy, the error says what to do.
func TestNoTemporaryDirectory(t *testing.T) {
	dir := tree(t, map[string]string{"z": pack(codecGzip, tarred("a", applog("app-a", 5, true))), "a": applog("app-b", 5, true)})
	t.Setenv("TMPDIR", filepath.Join(dir, "gone"))
	_, _, err := Resolve([]string{dir}, Options{})
	if err == nil || !strings.Contains(err.Error(), "z: copying the archive to a temporary file: ") || !strings.Contains(err.Error(), "set TMPDIR") {
		t.Error(err)
	}
}

// Zero bytes behind a gzip file are padding; anything else is damage.
func TestGzipPadding(t *testing.T) {
	text := sample(20)
	data := packers[codecGzip](text, 100).data
	padded := append(bytes.Clone(data), make([]byte, 3000)...)
	if d := drain(t, logOf("x", padded), Options{}, true); !bytes.Equal(d.text, text) || len(d.Problems()) > 0 {
		t.Error(len(d.text), d.Problems())
	}
	trailing := append(bytes.Clone(data), "garbage"...)
	d := drain(t, logOf("x", trailing), Options{}, true)
	if ps := d.Problems(); !bytes.Equal(d.text, text) || len(ps) != 1 || ps[0].Pos.Offset != int64(len(data)) || ps[0].Skipped != 7 {
		t.Error(len(d.text), d.Problems())
	}
}

// The sizes of a large member stand in the extra field.
func TestZip64Sizes(t *testing.T) {
	extra := []byte{9, 9, 2, 0, 0, 0, 1, 0, 16, 0}
	extra = binary.LittleEndian.AppendUint64(extra, 7<<32)
	extra = binary.LittleEndian.AppendUint64(extra, 5<<32)
	if size, stored := zip64Sizes(extra); size != 7<<32 || stored != 5<<32 {
		t.Error(size, stored)
	}
	for cut := range len(extra) {
		if _, stored := zip64Sizes(extra[:cut]); stored != -1 {
			t.Error(cut, stored)
		}
	}
}

// Of a pipe and a file of one application the file is read.
func TestStreamAndFile(t *testing.T) {
	a := applog("app-a", 5, true)
	dir := tree(t, map[string]string{"a": a})
	got := resolved(dir, []string{"-", "a"}, Options{Stdin: strings.NewReader(a)})
	want := `log a app "app-a": a(none)
note standard input: not read: a is of the same application attempt (app-a) and is a file, while this is a stream and cannot be read twice to compare
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Of a compacted and a whole log of one application the whole one is read.
func TestCompactedAndWhole(t *testing.T) {
	long, short := applog("x", 50, true), applog("x", 5, true)
	dir := tree(t, map[string]string{"eventlog_v2_x/events_2_x.compact": long, "eventlog_v2_x/appstatus_x": "", "whole": short})
	got := resolved(dir, []string{"."}, Options{AllowCompacted: true})
	want := `log whole app "x": whole(none)
note eventlog_v2_x: not read: whole is of the same application attempt (x) and is not compacted
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
