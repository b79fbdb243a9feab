package source

import (
	"errors"
	"fmt"
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
	f := &finder{opt: opt.withDefaults()}
	f.left = f.opt.Limits.MaxFiles
	if len(args) == 0 {
		return nil, nil, errors.New("no log was named")
	}
	f.arguments(args)
	slices.SortStableFunc(f.logs, func(a, b *Log) int { return strings.Compare(a.Name, b.Name) })
	f.dropTwins()
	f.dropRepeats()
	slices.SortStableFunc(f.notes, func(a, b Note) int { return strings.Compare(a.Name, b.Name) })
	if len(f.errs) > 0 {
		return nil, f.notes, errors.Join(f.errs...)
	}
	if len(f.logs) == 0 {
		return nil, f.notes, f.nothing(args)
	}
	return f.logs, f.notes, nil
}

// finder collects what Resolve comes to.
type finder struct {
	opt     Options
	left    int64 // directory entries that may still be looked at
	spooled int64 // bytes of temporary files
	logs    []*Log
	notes   []Note
	errs    []error
}

// arguments goes through the arguments in the order of their names. Files named
// one by one are put together by directory, so that the members of one rolled
// log become one log however they were named.
func (f *finder) arguments(args []string) {
	args = slices.Clone(args)
	slices.Sort(args)
	args = slices.Compact(args)
	files := map[string][]*node{}
	for _, arg := range args {
		for _, n := range f.argument(arg) {
			dir := filepath.Dir(n.path)
			files[dir] = append(files[dir], n)
		}
	}
	for _, dir := range sortedKeys(files) {
		f.files(dir, files[dir], isRolledDir(dir))
	}
}

func isRolledDir(path string) bool {
	return strings.HasPrefix(filepath.Base(path), rolledPrefix)
}

// argument returns the files that an argument names; directories and streams
// are dealt with at once.
func (f *finder) argument(arg string) []*node {
	if arg == "-" {
		f.stream(stdinNode(f.opt.Stdin))
		return nil
	}
	n := fsNode(filepath.Clean(arg), &f.left)
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
		return f.glob(arg, n)
	}
	return nil
}

// glob expands a pattern. What it matches is taken as if a directory had held
// it: the user did not name the files one by one.
func (f *finder) glob(arg string, n *node) []*node {
	if !strings.ContainsAny(arg, "*?[") {
		_, err := n.open()
		f.errs = append(f.errs, err)
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
		n := fsNode(filepath.Clean(name), &f.left)
		switch n.kind {
		case nodeFile:
			files = append(files, n)
		case nodeDir:
			f.dir(n, nil)
		default:
			f.skip(filepath.Dir(n.path), n, whyNot(n))
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
			f.skip(dir.path, e, whyNot(e))
		}
	}
	if hidden > 0 {
		f.note(dir.path, "skipped %d hidden files", hidden)
	}
	f.files(dir.path, files, strings.HasPrefix(dir.name, rolledPrefix))
}

// files makes logs of the files of one directory.
func (f *finder) files(dir string, files []*node, isRolled bool) {
	fams, rest := families(dir, files, isRolled)
	for _, fam := range fams {
		f.family(dir, fam)
	}
	for _, n := range rest {
		f.file(dir, n)
	}
}

// file makes a log of one file, or says why it is none.
func (f *finder) file(dir string, n *node) {
	s := sniff(n, f.opt.Limits)
	if kind := archiveOf(s); kind != notArchive {
		f.archive(dir, n, s, kind)
		return
	}
	if !s.isSpark {
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
func (f *finder) family(dir string, fam *family) {
	name := dir
	if fam.name != "" {
		name = dir + "/" + fam.name
	}
	named := slices.ContainsFunc(fam.members, func(m member) bool { return m.node.named })
	f.notes = append(f.notes, fam.notes...)
	if fam.compacted && !f.opt.AllowCompacted {
		f.refuse(name, named)
		return
	}
	log := &Log{Name: name, Rolling: true, InProgress: fam.inProgress, Compacted: fam.compacted, found: fam.found}
	if fam.compacted {
		log.found = append(log.found, compactedProblem(fam.members[0].node))
	}
	spark, why := false, ""
	for i, m := range fam.members {
		s := sniff(m.node, f.opt.Limits)
		log.add(m.node, m.number, s.codec)
		if log.AppID == "" {
			log.identify(s)
		}
		spark = spark || s.isSpark
		if i == 0 {
			why = s.looksLike()
		}
	}
	if !spark {
		f.reject(dir, fam.members[0].node, why)
		return
	}
	f.logs = append(f.logs, log)
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

// trouble deals with a directory or file that cannot be opened.
func (f *finder) trouble(n *node, err error) {
	if n.named {
		f.fail("%s: %w", n.path, err)
		return
	}
	f.note(n.path, "skipped: %v", err)
}

func (f *finder) skip(dir string, n *node, why string) {
	f.note(n.path, "skipped: %s", why)
}

func (f *finder) note(name, format string, args ...any) {
	f.notes = append(f.notes, Note{name, fmt.Sprintf(format, args...)})
}

func whyNot(n *node) string {
	switch n.kind {
	case nodeBroken:
		_, err := n.open()
		return err.Error()
	case nodeStream:
		return "a named pipe inside a directory is not read: name it to have it read"
	}
	return "is " + otherKind(n.info)
}
