// Command multiply makes a long Spark event log of a short one: it writes the
// log's events again and again, each time with fresh jobs, stages, tasks, RDDs,
// shuffles and SQL executions, at later times. What comes out is one run of one
// application with the shapes of the real one, and lineage that holds.
//
//	zstd -dc sampletraces/linear-withdrawal.zstd | go run ./scripts/bench/multiply --size 10GB | replay ingest - -o big.duckdb
//	go run ./scripts/bench/multiply --copies 3000 --machines 1000 --long-lines 1MB LOG
//
// Accumulators keep their ids, as do stage and RDD names; streaming queries are
// not multiplied well, since their progress reports carry times as text.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "multiply:", err)
		os.Exit(1)
	}
}

// options say how much is written.
type options struct {
	copies   int64
	size     int64
	machines int64
	long     int64
	workers  string
}

func run(args []string, stdin io.Reader, stdout io.Writer) error {
	var opt options
	var size, long string
	f := pflag.NewFlagSet("multiply", pflag.ContinueOnError)
	f.Int64Var(&opt.copies, "copies", 1, "how often the log's events are written")
	f.StringVar(&size, "size", "", "write whole copies until the log has this size, as 10GB or 500MB")
	f.Int64Var(&opt.machines, "machines", 0, "spread workers over so many machines; 0 = the log's own")
	f.StringVar(&long, "long-lines", "", "give every job a description of this size")
	f.StringVar(&opt.workers, "workers", "auto", "keep or fresh: whether each copy has workers of its own; auto: fresh if the log loses some")
	if err := f.Parse(args); err != nil {
		return err
	}
	var err error
	if opt.size, err = parseSize(size); err != nil {
		return err
	}
	if opt.long, err = parseSize(long); err != nil {
		return err
	}
	text, err := read(f.Args(), stdin)
	if err != nil {
		return err
	}
	t := newTemplate(text, opt)
	w := bufio.NewWriterSize(stdout, 1<<20)
	if err := t.write(w); err != nil {
		return err
	}
	return w.Flush()
}

func read(args []string, stdin io.Reader) ([]byte, error) {
	switch len(args) {
	case 0:
		return io.ReadAll(stdin)
	case 1:
		return os.ReadFile(args[0])
	}
	return nil, fmt.Errorf("give one plain log, or none to read standard input")
}

// parseSize reads bytes with a decimal unit.
func parseSize(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	for unit, n := range map[string]int64{"KB": 1e3, "MB": 1e6, "GB": 1e9} {
		if digits, ok := strings.CutSuffix(s, unit); ok {
			v, err := strconv.ParseInt(digits, 10, 64)
			return v * n, err
		}
	}
	return strconv.ParseInt(s, 10, 64)
}
