package source

import (
	"fmt"

	"tracereplay/internal/problem"
)

// Log is the event log of one application, in one part or several. One file
// may still hold several attempts; the decoder of events finds those.
type Log struct {
	Name       string  // for messages and the table `source`
	Parts      []*Part // in reading order; one for a plain file
	AppID      string  // from the first lines, "" if they do not say
	AppAttempt string  // the same
	InProgress bool    // the name or the status file says that the driver had not finished
	Compacted  bool    // the history server has dropped finished work from it
	Rolling    bool    // written as a sequence of files

	mark  string            // tells logs of one application attempt from parts of it
	found []problem.Problem // what was wrong with the set of files
}

// Part is one file of a log.
type Part struct {
	Name   string // for messages: path, or archive!member
	Index  int    // place in Log.Parts, equal to Block.Part
	Number int64  // the number in the file's name of a rolled log (events_N, EVENT_LOG_N), else 0
	Codec  string // none, gzip, zstd, lz4, snappy or lzf
	Size   int64  // bytes as stored, -1 if unknown (a stream)

	node *node
}

// Note tells the user something about the inputs that is not wrong with a log:
// what was skipped, dropped or assumed.
type Note struct {
	Name string // the input concerned
	Text string
}

func (n Note) String() string { return fmt.Sprintf("%s: %s", n.Name, n.Text) }

// PartStat is what reading one part came to.
type PartStat struct {
	Name       string
	Codec      string
	Lines      int64 // lines delivered, and those skipped as too long
	TextBytes  int64 // decompressed bytes
	DiskBytes  int64 // bytes as stored that were read
	Unfinished bool  // the framing has an end mark, and it is missing: the writer was not done
}
