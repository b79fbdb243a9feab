package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tracereplay/internal/problem"
)

// An archive is walked like a directory. Its members become nodes that read a
// section of the archive in place; nothing is unpacked. What cannot be read in
// place is copied to a nameless temporary file first: a compressed tar, and an
// archive that comes from a stream or stands packed in another.

type archiveKind int

const (
	notArchive archiveKind = iota
	zipArchive
	tarArchive
)

var (
	zipMagic      = []byte("PK\x03\x04")
	zipEmptyMagic = []byte("PK\x05\x06")
)

// archiveOf tells an archive by its first bytes.
func archiveOf(s *sniffed) archiveKind {
	switch {
	case s.codec == codecNone && (bytes.HasPrefix(s.head, zipMagic) || bytes.HasPrefix(s.head, zipEmptyMagic)):
		return zipArchive
	case isTar(s.text):
		return tarArchive
	}
	return notArchive
}

const (
	tarBlock   = 512
	tarSumFrom = 148
	tarSumTo   = 156
)

// isTar checks the one thing that all variants of tar share: the checksum of
// the first header.
func isTar(b []byte) bool {
	if len(b) < tarBlock || b[0] == 0 {
		return false
	}
	field := strings.Trim(string(b[tarSumFrom:tarSumTo]), " \x00")
	want, err := strconv.ParseInt(field, 8, 64)
	if err != nil {
		return false
	}
	var sum int64
	for i, c := range b[:tarBlock] {
		if i >= tarSumFrom && i < tarSumTo {
			c = ' '
		}
		sum += int64(c)
	}
	return sum == want
}

// entry is a member of an archive, as its index lists it.
type entry struct {
	name  string
	isDir bool
	size  int64 // bytes as stored
	open  func() io.Reader
	at    func() (io.ReaderAt, int64, error)
	wrap  func(io.Reader) io.Reader // takes the archive's own compression off
	why   string                    // why it cannot be read, "" if it can
	found []problem.Problem
}

// archive walks an archive that file has recognised.
func (f *finder) archive(dir string, n *node, s *sniffed, kind archiveKind) {
	if n.nested >= f.opt.Limits.MaxArchiveDepth {
		f.reject(dir, n, fmt.Sprintf("an archive within %d archives: beyond the limit MaxArchiveDepth", n.nested))
		return
	}
	data, size, cut, err := f.seekable(n, s)
	if err != nil {
		f.fatal(n, err)
		return
	}
	if r, ok := data.(*reopener); ok {
		defer r.letGo()
	}
	var entries []entry
	var found []problem.Problem
	if kind == zipArchive {
		entries, found, err = indexZip(n.path, data, size, f.opt.Limits)
	} else {
		entries, found, err = indexTar(n.path, data, size, f.opt.Limits)
	}
	if err != nil {
		f.fatal(n, err)
		return
	}
	if cut != nil {
		found = append(found, cutArchive(n.path, cut))
	}
	f.members(dir, n, entries, found)
}

func cutArchive(path string, g *gap) problem.Problem {
	return problem.Problem{
		Kind:    g.kind,
		Pos:     problem.Pos{File: path, Offset: g.at},
		Skipped: g.skipped,
		Detail:  "members of the archive from here on are lost: " + g.detail,
	}
}

// members walks the tree that the members' names span. What is wrong with the
// archive itself is told with the last log in it: any log may be missing.
func (f *finder) members(dir string, n *node, entries []entry, found []problem.Problem) {
	logs, errs := len(f.logs), len(f.errs)
	root := f.tree(n, entries)
	f.dir(root, nil)
	if len(f.logs) > logs {
		last := f.logs[len(f.logs)-1]
		last.found = append(last.found, found...)
		return
	}
	for _, p := range found {
		f.note(n.path, "%s", p.Detail)
	}
	switch {
	case len(f.errs) > errs:
	case n.named:
		f.errs = append(f.errs, f.nothing([]string{n.path}))
	default:
		f.note(n.path, "skipped: an archive without a Spark event log")
	}
}

// fatal ends with an error where going on would hide that a limit was passed or
// that the disk is full.
func (f *finder) fatal(n *node, err error) {
	var limit *LimitError
	var copying *spoolError
	if errors.As(err, &limit) || errors.As(err, &copying) {
		f.errs = append(f.errs, err)
		return
	}
	f.trouble(n, err)
}

// longestName bounds what is kept of each member's name.
const longestName = 4096

// tree makes nodes of entries. Names are cut into elements; those that would
// lead upwards are dropped, which harms nothing: nothing is written.
func (f *finder) tree(n *node, entries []entry) *node {
	root := &treeDir{node: node{name: n.name, path: n.path, kind: nodeDir, size: -1, nested: n.nested}}
	root.list = root.entries
	for i := range entries {
		e := &entries[i]
		elems := elements(e.name)
		switch {
		case len(elems) == 0:
			continue
		case len(e.name) > longestName:
			f.note(n.path, "skipped: a member with a name of %d bytes", len(e.name))
			continue
		}
		if e.isDir {
			root.dir(elems)
			continue
		}
		d := root.dir(elems[:len(elems)-1])
		m := e.node(n, elems)
		if e.why != "" {
			f.skip(d.path, m, e.why)
			continue
		}
		d.add(m)
	}
	return &root.node
}

func elements(name string) []string {
	var elems []string
	for _, e := range strings.Split(strings.ReplaceAll(name, `\`, "/"), "/") {
		if e != "" && e != "." && e != ".." {
			elems = append(elems, e)
		}
	}
	return elems
}

func (e *entry) node(archive *node, elems []string) *node {
	return &node{
		name:   elems[len(elems)-1],
		path:   memberPath(archive.path, elems),
		kind:   nodeFile,
		size:   e.size,
		nested: archive.nested + 1,
		open:   func() (io.ReadCloser, error) { return io.NopCloser(e.open()), nil },
		at:     e.at,
		wrap:   e.wrap,
		found:  e.found,
	}
}

func memberPath(archive string, elems []string) string {
	return archive + "!" + printable(strings.Join(elems, "/"))
}

// treeDir is a directory within an archive.
type treeDir struct {
	node
	root     string // path of the archive
	elems    []string
	subdirs  map[string]*treeDir
	children []*node
	byName   map[string]int // index in children
}

func (d *treeDir) entries() ([]*node, error) {
	all := append([]*node(nil), d.children...)
	for _, name := range sortedKeys(d.subdirs) {
		all = append(all, &d.subdirs[name].node)
	}
	return all, nil
}

// dir returns the directory below d, making it if need be.
func (d *treeDir) dir(elems []string) *treeDir {
	for _, name := range elems {
		sub := d.subdirs[name]
		if sub == nil {
			sub = d.newDir(name)
		}
		d = sub
	}
	return d
}

func (d *treeDir) newDir(name string) *treeDir {
	root := d.root
	if root == "" {
		root = d.path
	}
	elems := append(d.elems[:len(d.elems):len(d.elems)], name)
	sub := &treeDir{node: node{name: name, path: memberPath(root, elems), kind: nodeDir, size: -1, nested: d.nested}, root: root, elems: elems}
	sub.list = sub.entries
	if d.subdirs == nil {
		d.subdirs = map[string]*treeDir{}
	}
	d.subdirs[name] = sub
	return sub
}

// add puts a member into d. Of two members of one name the later one counts, as
// it does when an archive is unpacked.
func (d *treeDir) add(m *node) {
	if i, ok := d.byName[m.name]; ok {
		d.children[i] = m
		return
	}
	if d.byName == nil {
		d.byName = map[string]int{}
	}
	d.byName[m.name] = len(d.children)
	d.children = append(d.children, m)
}

// printable makes a name fit to stand in a message: what could steer a terminal
// is escaped.
func printable(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}
