package aside

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func start(t *testing.T, target string, force bool) *Partial {
	t.Helper()
	p, err := New(target, force)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func commit(t *testing.T, p *Partial) {
	t.Helper()
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
}

// check tells that dir holds one file of this name and text, and nothing else.
func check(t *testing.T, path, text string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != text {
		t.Errorf("%s holds %q (%v), want %q", path, got, err, text)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left beside %s: %v", path, entries)
	}
}

func TestFile(t *testing.T) {
	target := filepath.Join(t.TempDir(), "a.txt")
	p := start(t, target, false)
	write(t, p.Path(), "one")
	write(t, p.Path()+".wal", "side file")
	if _, err := os.Stat(target); err == nil {
		t.Error("the target is there before Commit")
	}
	commit(t, p)
	check(t, target, "one")
	if err := p.Abort(); err != nil {
		t.Error(err)
	}
	check(t, target, "one")

	var exists *ExistsError
	if _, err := New(target, false); !errors.As(err, &exists) {
		t.Errorf("an existing target: %v", err)
	}
	p = start(t, target, true)
	write(t, p.Path(), "two")
	commit(t, p)
	check(t, target, "two")
}

func TestDirectory(t *testing.T) {
	target := filepath.Join(t.TempDir(), "out")
	for _, text := range []string{"one", "two"} {
		p, err := NewDir(target, text == "two", "x")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(p.Path(), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(p.Path(), "x"), text)
		commit(t, p)
		check(t, filepath.Join(target, "x"), text)
	}
}

// Force replaces results, not whatever a name happens to lead to.
func TestForceSpares(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "thesis"), "")
	if _, err := NewDir(dir, true, "x"); err == nil {
		t.Error("a directory of other things would be replaced")
	}
	if _, err := NewDir(filepath.Join(dir, "thesis"), true, "x"); err == nil {
		t.Error("a file would be replaced by a directory")
	}
	if _, err := New(dir, true); err == nil {
		t.Error("a directory would be replaced by a file")
	}
}

func TestAbort(t *testing.T) {
	dir := t.TempDir()
	p := start(t, filepath.Join(dir, "a"), false)
	write(t, p.Path(), "x")
	if err := p.Abort(); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left: %v", entries)
	}
}

// The target appears while it is being written: the later writer is refused.
func TestTwoWriters(t *testing.T) {
	target := filepath.Join(t.TempDir(), "a")
	p, q := start(t, target, false), start(t, target, false)
	write(t, p.Path(), "p")
	write(t, q.Path(), "q")
	commit(t, p)
	var exists *ExistsError
	if err := q.Commit(); !errors.As(err, &exists) {
		t.Errorf("the second of two writers: %v", err)
	}
	if err := q.Abort(); err != nil {
		t.Fatal(err)
	}
	check(t, target, "p")
}

// What a dead writer left is removed; a living one's is not, nor a file of
// another name.
func TestStale(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "a")
	living := start(t, target, false)
	dead := start(t, target, false)
	write(t, dead.Path(), "half")
	if err := dead.lock.Close(); err != nil { // as the kernel does for the dead
		t.Fatal(err)
	}
	other := filepath.Join(dir, ".a.partial-readme")
	write(t, other, "")
	p := start(t, target, false)
	for _, want := range []string{living.dir, p.dir, other} {
		if _, err := os.Stat(want); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(dead.dir); err == nil {
		t.Error("a dead writer's directory is still there")
	}
}

func TestLink(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	write(t, filepath.Join(elsewhere, "real"), "old")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(elsewhere, "real"), link); err != nil {
		t.Fatal(err)
	}
	p := start(t, link, true)
	write(t, p.Path(), "new")
	commit(t, p)
	check(t, filepath.Join(elsewhere, "real"), "new")
	check(t, link, "new")
}

// What a writer kept is there for the next one, and for one at a time.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "a")
	keep := func() *Kept {
		t.Helper()
		k, err := Keep(target)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	k := keep()
	write(t, filepath.Join(k.Path(), "x"), "done")
	if _, err := Keep(target); err == nil {
		t.Error("two processes hold one directory")
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	k = keep()
	check(t, filepath.Join(k.Path(), "x"), "done")
	if err := k.Remove(); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left: %v", entries)
	}
}
