//go:build unix && !linux

package aside

import (
	"os"

	"golang.org/x/sys/unix"
)

func tryLock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}

func moveNew(from, to string) error { return moveNewInSteps(from, to) }

func exchange(from, to string) error { return exchangeInSteps(from, to) }
