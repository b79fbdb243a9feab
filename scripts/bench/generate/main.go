// Command generate writes the event log of a run that never was, for logs of a
// shape that no real log at hand has:
//
//	go run ./scripts/bench/generate --tasks 10000 --machines 1000 --rounds 1000 >LOG
//
// A job has as many stages as there are rounds, and its line in the log lists
// them all: of 1,000, a megabyte. scripts/bench/multiply makes it longer.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"tracereplay/internal/sparkgen"
)

func main() {
	opt := sparkgen.BigOptions{Seed: 1}
	f := pflag.NewFlagSet("generate", pflag.ExitOnError)
	f.IntVar(&opt.Tasks, "tasks", 100_000, "task attempts, about")
	f.IntVar(&opt.Machines, "machines", 100, "machines")
	f.IntVar(&opt.Workers, "workers", 2, "workers of a machine")
	f.IntVar(&opt.Rounds, "rounds", 8, "stages of a job")
	f.IntVar(&opt.Removals, "removals", 0, "workers that leave")
	_ = f.Parse(os.Args[1:]) // it exits
	if err := sparkgen.Big(opt).WriteLog(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}
