// Package source turns the LOG arguments of a command line into application
// logs, and each log into blocks of whole lines whose place in the input is
// known. What a line means is the next package's concern (ingest/spark): this
// one knows of events only what it needs to tell a Spark log from anything
// else, and one application from another.
//
// # From arguments to logs: Resolve
//
//  1. Each argument is a file, a directory, a glob, an archive or "-". All of
//     them become nodes of one tree (node.go), so that a directory, a zip and a
//     tar are walked by the same code.
//  2. Content decides what a file is, never its name (sniff.go): magic bytes
//     tell gzip, zstd, Spark's own framings of LZ4, Snappy and LZF, zip and tar;
//     anything else is text. Names matter only where they are the format: the
//     files of a rolled log (rolled.go).
//  3. A file is a Spark log if one of its first lines is a JSON object with an
//     "Event" of Spark. Otherwise it is named for what it looks like
//     (looks.go): an error if the user named it, a Note if a walk found it.
//  4. Files of one rolled log are joined in reading order. Missing members
//     become problems of that log.
//  5. Of several logs of one application attempt the most complete stays
//     (duplicate.go), and the result is sorted by name.
//
// # From a log to blocks: Reader
//
//  1. A goroutine opens the parts one after another, and puts a decoder before
//     each that is compressed. A decoder hands out text, and a *gap wherever
//     bytes of the file could not be used; it goes on behind the gap if the
//     framing makes that sound.
//  2. The text is read into a pooled buffer (split.go). A full buffer is cut
//     behind its last newline, the rest is carried into the next one; a line
//     longer than the buffer makes it grow up to Limits.MaxLine.
//  3. The end of a part, and a gap, end the block: its last line may lack the
//     newline, then Block.Cut is set.
//  4. The consumer calls Next, may hand the block to another goroutine, and
//     returns the buffer with Release.
//
// For example the text "a\nbb\nc" with blocks of 5 bytes comes out as
//
//	{Data: "a\nbb\n", Offset: 0, Line: 1, Seq: 1}
//	{Data: "c",       Offset: 5, Line: 3, Seq: 3, Cut: true}
//
// Trouble inside an input is data: it is counted and positioned in
// Reader.Problems, and what follows is read. Only trouble with reading itself,
// and an input that passes a limit, is an error.
package source
