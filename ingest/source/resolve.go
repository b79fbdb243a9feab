package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tracereplay/internal/problem"
)

var errTooManyFiles = errors.New("too many files")

// Resolve finds the logs that args name: files, directories, globs, archives
// and "-". The result is sorted by name, so that neither the order of args nor
// that of a directory shows in it. An argument that is no log, or holds none,
// is an error that says what it looks like; so is a compacted log, unless
// Options.AllowCompacted is set.
func Resolve(args []string, opt Options) ([]*Log, []Note, error) {
	f := &finder{opt: opt.withDefaults(), skipped: map[string]int{}}
	f.left = f.opt.Limits.MaxFiles
	if len(args) == 0 {
		return nil, nil, errors.New("no log was named")
	}
	f.arguments(args)
	if len(f.errs) == 0 && len(f.logs) == 0 {
		f.errs = append(f.errs, f.nothing(args))
	}
	slices.SortStableFunc(f.logs, func(a, b *Log) int { return strings.Compare(a.Name, b.Name) })
	if len(f.errs) == 0 {
		f.dropTwins()
		f.dropRepeats()
	}
	f.noteSkipped()
	slices.SortStableFunc(f.notes, func(a, b Note) int { return strings.Compare(a.Name, b.Name) })
	if len(f.errs) > 0 {
		return nil, f.notes, errors.Join(f.errs...)
	}
	return f.logs, f.notes, nil
}

// finder collects what Resolve comes to.
type finder struct {
	opt     Options
	left    int64          // directory entries that may still be looked at
	spool   *os.File       // what archives were copied to
	spooled int64          // bytes of it
	skipped map[string]int // files skipped in each directory
	logs    []*Log
	notes   []Note
	errs    []error
}

// arguments goes through the arguments in the order of their names. Files named
// one by one are put together by directory, so that the members of one rolled
// log become one log however they were named.
func (f *finder) arguments(args []string) {
	args = slices.Clone(args)
	for i, arg := range args {
		args[i] = filepath.Clean(arg)
	}
	slices.Sort(args)
	args = slices.Compact(args)
	files := map[string][]*node{}
	seen := map[string]*node{}
	for _, arg := range args {
		for _, n := range f.argument(arg) {
			if twin := seen[n.path]; twin != nil && os.SameFile(twin.info, n.info) {
				twin.named = twin.named || n.named
				continue
			}
			seen[n.path] = n
			dir := filepath.Dir(n.path)
			files[dir] = append(files[dir], n)
		}
	}
	for _, dir := range sortedKeys(files) {
		f.files(place{path: dir, rolled: isRolledDir(filepath.Base(dir))}, files[dir])
	}
}

// place is the directory that files stand in.
type place struct {
	path   string
	rolled bool // its name is that of a rolled log
	named  bool // the user named it
	whole  bool // the files are all that it holds
}

func isRolledDir(name string) bool { return strings.HasPrefix(name, rolledPrefix) }

// argument returns the files that an argument names; directories and streams
// are dealt with at once.
func (f *finder) argument(arg string) []*node {
	if arg == "-" {
		f.stream(stdinNode(f.opt.Stdin, f.opt.StdinName))
		return nil
	}
	n := fsNode(arg, &f.left)
	switch n.kind {
	case nodeFile:
		n.named = true
		return []*node{n}
	case nodeDir:
		f.argumentDir(n)
	case nodeStream:
		f.stream(streamOf(n))
	case nodeOther:
		f.fail("%s: is %s, not a file", n.path, otherKind(n.info))
	case nodeBroken:
		n.named = true
		return f.glob(arg, n)
	}
	return nil
}

// glob expands a pattern. What it matches is taken as if a directory had held
// it: the user did not name the files one by one.
func (f *finder) glob(arg string, n *node) []*node {
	if !strings.ContainsAny(arg, "*?[") {
		_, err := n.open()
		f.trouble(n, err)
		return nil
	}
	names, err := filepath.Glob(arg)
	if err != nil {
		f.fail("%s: %w", arg, err)
		return nil
	}
	if len(names) == 0 {
		f.fail("%s: matches nothing", arg)
		return nil
	}
	var files []*node
	for _, name := range names {
		n := fsNode(name, &f.left)
		switch n.kind {
		case nodeFile:
			files = append(files, n)
		case nodeDir:
			f.dir(n, nil)
		default:
			f.unusable(filepath.Dir(n.path), n)
		}
	}
	return files
}

func (f *finder) fail(format string, args ...any) {
	f.errs = append(f.errs, fmt.Errorf(format, args...))
}

// argumentDir walks a directory that was named; one without a log is an error.
func (f *finder) argumentDir(n *node) {
	logs, errs := len(f.logs), len(f.errs)
	n.named = true
	f.dir(n, nil)
	if len(f.logs) == logs && len(f.errs) == errs {
		f.errs = append(f.errs, f.nothing([]string{n.path}))
	}
}

// nothing words the error of inputs without any log; the notes on them say why.
func (f *finder) nothing(args []string) error {
	var why []string
	for _, note := range f.notes {
		if len(why) == 5 {
			why = append(why, "...")
			break
		}
		why = append(why, note.String())
	}
	msg := fmt.Sprintf("%s: holds no Spark event log", strings.Join(args, ", "))
	if len(why) > 0 {
		msg += " (" + strings.Join(why, "; ") + ")"
	}
	return errors.New(msg)
}

// dir walks a directory. above are the directories on the way to it.
func (f *finder) dir(n *node, above []*node) {
	if len(above) >= f.opt.Limits.MaxDepth {
		f.note(n.path, "not looked into: deeper than the limit MaxDepth (%d)", f.opt.Limits.MaxDepth)
		return
	}
	for _, a := range above {
		if a.info != nil && n.info != nil && os.SameFile(a.info, n.info) {
			f.note(n.path, "not looked into: a link back to %s", a.path)
			return
		}
	}
	entries, err := n.list()
	switch {
	case errors.Is(err, errTooManyFiles):
		f.errs = append(f.errs, &LimitError{Name: n.path, Limit: "MaxFiles", Max: f.opt.Limits.MaxFiles, What: "too many files to look at"})
		return
	case err != nil:
		f.trouble(n, err)
		return
	}
	slices.SortFunc(entries, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	f.entries(n, entries, append(slices.Clip(above), n))
}

func (f *finder) entries(dir *node, entries []*node, above []*node) {
	var files []*node
	hidden := 0
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.name, "."):
			hidden++
		case e.kind == nodeFile:
			files = append(files, e)
		case e.kind == nodeDir:
			f.dir(e, above)
		default:
			f.unusable(dir.path, e)
		}
	}
	if hidden > 0 {
		f.note(dir.path, "skipped hidden files (%d)", hidden)
	}
	f.files(place{path: dir.path, rolled: isRolledDir(dir.name), named: dir.named, whole: true}, files)
}

// files makes logs of the files of one directory.
func (f *finder) files(dir place, files []*node) {
	fams, rest := families(dir, files)
	for _, fam := range fams {
		f.family(dir, fam)
	}
	for _, n := range rest {
		f.file(dir.path, n)
	}
}

// file makes a log of one file, or says why it is none.
func (f *finder) file(dir string, n *node) {
	s := sniff(n, f.opt.Limits)
	kind := archiveOf(s)
	switch {
	case kind != notArchive:
		f.archive(dir, n, s, kind)
		return
	case s.err != nil && !s.isSpark:
		f.trouble(n, s.err)
		return
	case !s.isSpark:
		f.reject(dir, n, s.looksLike())
		return
	}
	log := &Log{Name: n.path}
	log.identify(s)
	log.InProgress = strings.HasSuffix(n.name, ".inprogress")
	log.add(n, 0, s.codec)
	f.logs = append(f.logs, log)
}

func (l *Log) identify(s *sniffed) {
	l.AppID, l.AppAttempt, l.mark = s.appID, s.appAttempt, s.mark()
}

func (l *Log) add(n *node, number int64, codec string) {
	l.found = append(l.found, n.found...)
	l.Parts = append(l.Parts, &Part{Name: n.path, Index: len(l.Parts), Number: number, Codec: codec, Size: n.size, node: n})
}

// family makes a log of the files of one rolled log.
func (f *finder) family(dir place, fam *family) {
	log := &Log{Name: dir.path, Rolling: true, InProgress: fam.inProgress, Compacted: fam.compacted, found: fam.found}
	if fam.name != "" {
		log.Name += "/" + printable(fam.name)
	}
	f.notes = append(f.notes, fam.notes...)
	if fam.compacted {
		if !f.opt.AllowCompacted {
			f.refuse(log.Name, (dir.named && dir.rolled) || fam.named())
			return
		}
		log.found = append(log.found, compactedProblem(fam.members[0].node))
	}
	why := ""
	spark := false
	for i, m := range fam.members {
		if spark {
			log.add(m.node, m.number, codecAt(m.node, f.opt.Limits))
			continue
		}
		s := sniff(m.node, f.opt.Limits)
		log.add(m.node, m.number, s.codec)
		log.identify(s)
		spark = s.isSpark
		if i == 0 {
			why = s.looksLike()
		}
	}
	if !spark {
		f.reject(dir.path, fam.members[0].node, why)
		return
	}
	f.logs = append(f.logs, log)
}

// codecAt tells the codec of a part without reading further. Trouble with it
// will show when it is read.
func codecAt(n *node, lim Limits) string {
	t, err := openText(n, lim, nil)
	if err != nil {
		return ""
	}
	defer t.Close()
	return t.codec
}

func compactedProblem(n *node) problem.Problem {
	return problem.Problem{
		Kind:   problem.Compacted,
		Pos:    problem.Pos{File: n.path, Offset: -1},
		Detail: "the history server compacted the log: jobs that had finished before this file, and workers that had gone, are not in it",
	}
}

// refuse turns a compacted log away.
func (f *finder) refuse(name string, named bool) {
	const why = "is a compacted rolled log: the history server has dropped the jobs that had finished, and what they left on workers cannot be known; --allow-compacted takes what is there"
	if named {
		f.fail("%s: %s", name, why)
		return
	}
	f.note(name, "%s", why)
}

// reject turns away a file that is no log.
func (f *finder) reject(dir string, n *node, why string) {
	if n.named {
		f.fail("%s: not a Spark event log: %s", n.path, why)
		return
	}
	f.skip(dir, n, why)
}

// trouble deals with a directory or file that cannot be opened or read.
func (f *finder) trouble(n *node, err error) {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err // the rest would repeat the name
	}
	if n.named {
		f.fail("%s: %w", n.path, err)
		return
	}
	f.note(n.path, "cannot be read: %v", err)
}

// mostSkipped is how many files of one directory are named when they are
// skipped.
const mostSkipped = 20

func (f *finder) skip(dir string, n *node, why string) {
	if f.skipped[dir]++; f.skipped[dir] <= mostSkipped {
		f.note(n.path, "skipped: %s", why)
	}
}

// noteSkipped counts the files that skip did not name.
func (f *finder) noteSkipped() {
	for _, dir := range sortedKeys(f.skipped) {
		if n := f.skipped[dir] - mostSkipped; n > 0 {
			f.note(dir, "skipped %d more files", n)
		}
	}
}

func (f *finder) note(name, format string, args ...any) {
	f.notes = append(f.notes, Note{name, fmt.Sprintf(format, args...)})
}

// unusable notes what a walk met that is neither a file nor a directory.
func (f *finder) unusable(dir string, n *node) {
	switch n.kind {
	case nodeBroken:
		_, err := n.open()
		f.trouble(n, err)
	case nodeStream:
		f.skip(dir, n, "a named pipe inside a directory is not read: name it to have it read")
	default:
		f.skip(dir, n, "is "+otherKind(n.info))
	}
}
