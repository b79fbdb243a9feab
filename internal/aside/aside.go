// Package aside writes results beside their target and moves them there when
// they are whole. Whatever interrupts the writer, the target is absent, the old
// one, or the new one.
//
//	p, err := aside.New("out/trace.duckdb", force)
//	defer p.Abort()          // no effect after Commit
//	... write p.Path() ...
//	err = p.Commit()
//
// The work happens in a directory of its own next to the target, so that side
// files (a database's log, spilled data) are found and removed with it:
//
//	out/.trace.duckdb.partial-1a2b3c4d/trace.duckdb
//
// Its owner holds a lock on that directory, which the kernel drops when the
// process dies in whatever way. New removes the directories of the same target
// that nobody holds.
package aside

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Partial is a result that is being written.
type Partial struct {
	target string
	dir    string
	lock   *os.File
	force  bool
	done   bool
}

// ExistsError is a target that exists and may not be replaced.
type ExistsError struct{ Target string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s exists; --force replaces it", e.Target)
}

// New begins a result that will be a file at target. Without force, a target
// that exists is refused, now and in Commit.
func New(target string, force bool) (*Partial, error) {
	return begin(target, force, func(info fs.FileInfo) error {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s exists and is no file", target)
		}
		return nil
	})
}

// NewDir begins a result that will be a directory at target. With force, a
// directory is replaced only if it is empty or holds a file named marker, the
// sign that it is an earlier result: it goes with everything that is in it.
func NewDir(target string, force bool, marker string) (*Partial, error) {
	return begin(target, force, func(fs.FileInfo) error {
		entries, err := os.ReadDir(target)
		if err != nil {
			return err
		}
		if _, err := os.Lstat(filepath.Join(target, marker)); err != nil && len(entries) > 0 {
			return fmt.Errorf("%s exists and does not look like an earlier result (it has no %s): it is not replaced", target, marker)
		}
		return nil
	})
}

// begin begins a result; replaceable tells what may not even be replaced by force.
func begin(target string, force bool, replaceable func(fs.FileInfo) error) (*Partial, error) {
	target, err := resolve(target)
	if err != nil {
		return nil, err
	}
	if info, err := os.Lstat(target); err == nil {
		if !force {
			return nil, &ExistsError{target}
		}
		if err := replaceable(info); err != nil {
			return nil, err
		}
	}
	if err := clean(target); err != nil {
		return nil, err
	}
	for range 10 { // a cleaner may take a directory before it is locked
		p, err := create(target, force)
		if p != nil || err != nil {
			return p, err
		}
	}
	return nil, fmt.Errorf("%s: no directory to write in could be kept", target)
}

// resolve follows a target that is a link, so that the link stays one.
func resolve(target string) (string, error) {
	info, err := os.Lstat(target)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return filepath.Clean(target), nil
	}
	real, err := filepath.EvalSymlinks(target)
	if err != nil {
		return "", fmt.Errorf("%s: a link that leads nowhere: %w", target, err)
	}
	return real, nil
}

func prefix(target string) string {
	return filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".partial-")
}

// create returns nil, nil when another process took the directory for stale.
func create(target string, force bool) (*Partial, error) {
	var id [4]byte
	rand.Read(id[:])
	dir := prefix(target) + hex.EncodeToString(id[:])
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("writing %s: %w", target, err)
	}
	lock, err := hold(dir)
	if err != nil || lock == nil {
		return nil, err
	}
	return &Partial{target: target, dir: dir, lock: lock, force: force}, nil
}

// hold locks a directory; nil when it is locked by another or gone.
func hold(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !tryLock(f) {
		return nil, f.Close()
	}
	held, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if now, err := os.Stat(dir); err != nil || !os.SameFile(held, now) {
		return nil, f.Close()
	}
	return f, nil
}

// clean removes what dead writers of the same target left. What cannot be
// removed, a stranger's, is left alone.
func clean(target string) error {
	entries, err := os.ReadDir(filepath.Dir(target))
	if err != nil {
		return fmt.Errorf("writing %s: %w", target, err)
	}
	base := filepath.Base(prefix(target))
	for _, e := range entries {
		if !e.IsDir() || len(e.Name()) != len(base)+8 || e.Name()[:len(base)] != base {
			continue
		}
		dir := filepath.Join(filepath.Dir(target), e.Name())
		if lock, _ := hold(dir); lock != nil {
			_ = os.RemoveAll(dir)
			_ = lock.Close()
		}
	}
	return nil
}

// Path is where to write the file or make the directory.
func (p *Partial) Path() string { return filepath.Join(p.dir, filepath.Base(p.target)) }

// Target is where the result will stand.
func (p *Partial) Target() string { return p.target }

// Commit makes what stands at Path durable and moves it to the target.
func (p *Partial) Commit() error {
	if err := syncTree(p.Path()); err != nil {
		return fmt.Errorf("writing %s: %w", p.target, err)
	}
	if err := p.move(); err != nil {
		return err
	}
	err := syncOne(filepath.Dir(p.target))
	return errors.Join(err, p.Abort())
}

func (p *Partial) move() error {
	err := moveNew(p.Path(), p.target)
	if errors.Is(err, fs.ErrExist) {
		if !p.force {
			return &ExistsError{p.target}
		}
		err = exchange(p.Path(), p.target)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", p.target, err)
	}
	return nil
}

// Abort removes what was written. It may be called again, and after Commit.
func (p *Partial) Abort() error {
	if p.done {
		return nil
	}
	p.done = true
	return errors.Join(os.RemoveAll(p.dir), p.lock.Close())
}

// syncTree makes a file, or a directory with all that is in it, durable.
func syncTree(path string) error {
	return filepath.WalkDir(path, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return syncOne(path)
	})
}

func syncOne(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
