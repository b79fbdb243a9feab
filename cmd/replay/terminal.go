package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// isTerminal tells whether a person may be looking. stream is an io.Reader or
// io.Writer.
func isTerminal(stream any) bool {
	_, ok := terminalWidth(stream)
	return ok
}

func terminalWidth(stream any) (columns int, ok bool) {
	f, isFile := stream.(*os.File)
	if !isFile {
		return 0, false
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}
