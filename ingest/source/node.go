package source

import (
	"io"
	"os"

	"tracereplay/internal/problem"
)

// node is one entry of the tree that Resolve walks: on disk, in an archive, or
// a stream. Names inside archives are only names: nothing is ever written under
// them.
type node struct {
	name string // last element, what rolled logs are told by
	path string // for messages
	kind nodeKind
	size int64 // bytes as stored, -1 if unknown

	// open starts reading at the first byte. A stream can be opened once.
	open func() (io.ReadCloser, error)
	// list returns the entries of a directory, in any order.
	list func() ([]*node, error)

	// at gives random access, nil if there is none; wrap takes off the
	// compression that an archive put around the file, nil if there is none.
	at   func() (io.ReaderAt, int64, error)
	wrap func(io.Reader) io.Reader

	nested int               // archives that the node stands in
	found  []problem.Problem // what is already known to be wrong with it

	named bool        // the user named it: if it is no log, that is an error
	begin func()      // for a stream: looking at it is over, the next open reads it
	info  os.FileInfo // what the file system says, nil in archives: tells one file by two names
}

type nodeKind int

const (
	nodeFile nodeKind = iota
	nodeDir
	nodeStream // FIFO or standard input: readable once
	nodeOther  // device, socket
	nodeBroken // a link to nowhere, or in a circle
)
