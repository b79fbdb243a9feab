package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"tracereplay/replay"
)

// spareInputs refuses a command line that would write over what it reads: with
// --force, -o and --tables may name an input, or a directory that holds one.
// A trace in an earlier report may be read to make that report again: the new
// one has it, too.
func spareInputs(flags *pflag.FlagSet) error {
	inputs := flags.Args()
	if f := flags.Lookup("machines"); f != nil {
		inputs = append(inputs, f.Value.String())
	}
	for _, name := range []string{"output", "tables"} {
		f := flags.Lookup(name)
		if f == nil || f.Value.String() == "" {
			continue
		}
		for _, in := range inputs {
			if overwrites(f.Value.String(), in) {
				return fmt.Errorf("%s would be written over %s, which is read: give another place", f.Value, in)
			}
		}
	}
	return nil
}

func overwrites(out, in string) bool {
	to, err := os.Stat(out)
	if err != nil {
		return false
	}
	from, err := os.Stat(in)
	if err != nil || from.Mode()&(os.ModeDevice|os.ModeNamedPipe) != 0 {
		return false
	}
	if os.SameFile(to, from) {
		return true
	}
	return to.IsDir() && isBelow(out, in) && replay.KindOf(in) != replay.KindFile
}

// isBelow tells whether path lies somewhere in dir.
func isBelow(dir, path string) bool {
	dir, errDir := realPath(dir)
	path, errPath := realPath(path)
	if errDir != nil || errPath != nil {
		return false
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}
