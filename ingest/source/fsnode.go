package source

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// fsNode makes the node of a path of the file system. Links are followed: the
// node is what they lead to.
func fsNode(path string, left *int64) *node {
	n := &node{name: filepath.Base(path), path: printable(path), size: -1}
	info, err := os.Stat(path)
	if err != nil {
		n.kind = nodeBroken
		n.open = func() (io.ReadCloser, error) { return nil, err }
		return n
	}
	n.info = info
	n.open = func() (io.ReadCloser, error) { return os.Open(path) }
	switch mode := info.Mode(); {
	case mode.IsRegular():
		n.kind, n.size = nodeFile, info.Size()
		n.at = func() (io.ReaderAt, int64, error) {
			file, err := os.Open(path)
			return &reopener{path: path, file: file}, info.Size(), err
		}
	case mode.IsDir():
		n.kind = nodeDir
		n.list = func() ([]*node, error) { return listDir(path, left) }
	case mode&os.ModeNamedPipe != 0:
		n.kind = nodeStream
	default:
		n.kind = nodeOther
	}
	return n
}

// listDir reads a directory in small steps, so that one of a hundred million
// entries ends at the limit and not in memory.
func listDir(path string, left *int64) ([]*node, error) {
	dir, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var nodes []*node
	for {
		names, err := dir.Readdirnames(1024)
		if *left -= int64(len(names)); *left < 0 {
			return nil, errTooManyFiles
		}
		for _, name := range names {
			nodes = append(nodes, fsNode(filepath.Join(path, name), left))
		}
		if err == io.EOF {
			return nodes, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// otherKind words what a file is that is none.
func otherKind(info os.FileInfo) string {
	switch mode := info.Mode(); {
	case mode&os.ModeSocket != 0:
		return "a socket"
	case mode&os.ModeCharDevice != 0:
		return "a character device"
	case mode&os.ModeDevice != 0:
		return "a device"
	case mode&os.ModeNamedPipe != 0:
		return "a named pipe"
	}
	return fmt.Sprintf("a special file (%s)", info.Mode().Type())
}

// reopener is random access to a file that need not stay open: a directory may
// hold more archives than there are file descriptors.
type reopener struct {
	path string
	file *os.File // nil when let go
}

func (r *reopener) ReadAt(p []byte, off int64) (int, error) {
	if r.file != nil {
		return r.file.ReadAt(p, off)
	}
	file, err := os.Open(r.path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return file.ReadAt(p, off)
}

// letGo closes the file until it is read again.
func (r *reopener) letGo() {
	r.file.Close()
	r.file = nil
}
