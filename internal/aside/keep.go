package aside

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Kept is a directory beside a target that outlives its writer, in whatever way
// that ends: what is finished in it spares the next writer of the same target
// the work. Remove ends it.
type Kept struct {
	dir  string
	lock *os.File
}

// Keep opens the directory of a target, making it if there is none. One process
// at a time holds it.
func Keep(target string) (*Kept, error) {
	target, err := resolve(target)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".parts")
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("writing %s: %w", target, err)
	}
	lock, err := hold(dir)
	if err == nil && lock == nil {
		err = errors.New("another process is writing it")
	}
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", target, err)
	}
	return &Kept{dir: dir, lock: lock}, nil
}

// Path is the directory.
func (k *Kept) Path() string { return k.dir }

// Close lets go of the directory and leaves what is in it.
func (k *Kept) Close() error { return k.lock.Close() }

// Remove removes the directory.
func (k *Kept) Remove() error { return errors.Join(os.RemoveAll(k.dir), k.lock.Close()) }
