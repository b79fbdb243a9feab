package aside

import (
	"io/fs"
	"os"
)

// moveNewInSteps is moveNew where the system has no such call. Between the
// look and the move another process could take the name.
func moveNewInSteps(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}

// exchangeInSteps is exchange where the system has no such call. A file takes
// the place of another in one step; for directories there is a moment without a
// target.
func exchangeInSteps(from, to string) error {
	info, err := os.Lstat(to)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return os.Rename(from, to)
	}
	old := from + ".old"
	if err := os.Rename(to, old); err != nil {
		return err
	}
	return os.Rename(from, to)
}
