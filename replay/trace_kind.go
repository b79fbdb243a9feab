package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ErrNoTrace is a file that is no DuckDB file at all.
var ErrNoTrace = errors.New("not a trace: no DuckDB file")

// Kind is what a TRACE argument of the command line names.
type Kind int

// The kinds of TRACE arguments.
const (
	KindLog    Kind = iota // anything else: a log, to be ingested first
	KindFile               // a trace file
	KindTables             // a directory of exported tables
)

// KindOf tells what an argument names, from its content.
func KindOf(path string) Kind {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if len(tableFiles(path, Metas.Name)) > 0 {
			return KindTables
		}
		return KindLog
	}
	if checkFile(path) == nil {
		return KindFile
	}
	return KindLog
}

// checkFile tells whether path is a DuckDB file. It reads a regular file only,
// since what a pipe has given is gone.
func checkFile(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", path, ErrNoTrace)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var head [12]byte // a checksum, then the magic word
	if _, err := io.ReadFull(f, head[:]); err != nil || !bytes.Equal(head[8:], []byte("DUCK")) {
		return fmt.Errorf("%s: %w", path, ErrNoTrace)
	}
	return nil
}

// tableFiles are the files of one table in a directory of exported tables:
// DIR/task.parquet, or any Parquet file below DIR/task.
func tableFiles(dir, name string) []string {
	var files []string
	if one := filepath.Join(dir, name+".parquet"); isFile(one) {
		files = append(files, one)
	}
	below := filepath.Join(dir, name)
	_ = filepath.WalkDir(below, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ".parquet" {
			files = append(files, path)
		}
		return nil
	})
	return files
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
