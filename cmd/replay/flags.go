package main

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/pflag"

	"tracereplay/cmd/replay/internal/args"
	"tracereplay/cmd/replay/internal/decode"
	"tracereplay/ingest/source"
	"tracereplay/ingest/spark"
	"tracereplay/internal/table"
)

// inputFlags say how logs are read. Every command that takes a TRACE has them,
// since a TRACE may be a LOG.
type inputFlags struct {
	machines       string
	allowCompacted bool
	fullParse      bool
	jobs           int
	limits         limitFlag
	stdinName      string
}

func (f *inputFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.machines, "machines", "", "csv `FILE` of worker,machine that overrides the log's hosts; on Kubernetes the log only has pod addresses")
	fs.BoolVar(&f.allowCompacted, "allow-compacted", false, "read a compacted rolled log, whose finished jobs are gone")
	fs.IntVar(&f.jobs, "jobs", 0, "processor cores to use; 0 = all")
	fs.BoolVar(&f.fullParse, "full-parse", false, "look at every byte of every line, also where no figure comes from: slower, and finds more broken lines")
	fs.Var(&f.limits, "limit", "`NAME=N` raises a limit that a hostile input could pass; may be repeated; the error that names one tells which")
}

func (f *inputFlags) validate() error {
	if f.jobs < 0 {
		return usagef("--jobs %d: give a number of cores, or 0 for all", f.jobs)
	}
	return nil
}

// cores is how many cores may be used.
func (f *inputFlags) cores() int {
	if f.jobs > 0 {
		return f.jobs
	}
	return runtime.GOMAXPROCS(0)
}

// blockSize is what one goroutine decodes at a time. Half a dozen blocks and
// their events are in memory at once: with 16 MiB a log of a million tasks took
// 1.0 GB instead of 0.6, and no less time. With 1 MiB blocks are soon used again,
// a quarter fewer pages than with 4 MiB have to be had from the system.
const blockSize = 1 << 20

func (f *inputFlags) source(stdin io.Reader) source.Options {
	return source.Options{AllowCompacted: f.allowCompacted, Stdin: stdin, StdinName: f.stdinName, Limits: f.limits.Limits, BlockSize: blockSize}
}

// decode names the format of logs; there is one so far.
func (f *inputFlags) decode(log *source.Log, workers int) decode.Options {
	return decode.Options{
		Workers:    workers,
		NewDecoder: func() decode.Decoder { return spark.NewDecoder(spark.Options{FullParse: f.fullParse}) },
		FileOf:     func(part int) string { return log.Parts[part].Name },
	}
}

// runFlags pick an application of a TRACE, and the zone of its clock times.
type runFlags struct {
	app string
	tz  string
}

func (f *runFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.app, "app", "", "application `ID`, where the trace holds several")
	fs.StringVar(&f.tz, "tz", "", "time `ZONE` of clock times, in and out; default: the log's user.timezone, else UTC")
}

// zone is where clock times are meant. A zone of the log that cannot be read is
// no error: the user did not write it.
func (f *runFlags) zone(env *Env, logZone table.Str) (*time.Location, error) {
	if f.tz != "" {
		loc, err := args.ParseZone(f.tz)
		if err != nil {
			return nil, usagef("--tz: %v", err)
		}
		return loc, nil
	}
	if !logZone.OK {
		return time.UTC, nil
	}
	loc, err := args.ParseZone(logZone.V)
	if err != nil {
		env.note("the log's user.timezone: %v; clock times are in UTC", err)
		return time.UTC, nil
	}
	return loc, nil
}

// choiceFlag is a flag with a few legal values.
type choiceFlag struct {
	value   string
	choices []string
}

func (c *choiceFlag) Set(s string) error {
	for _, v := range c.choices {
		if s == v {
			c.value = s
			return nil
		}
	}
	return fmt.Errorf("it is one of %v", c.choices)
}

func (c *choiceFlag) String() string { return c.value }
func (c *choiceFlag) Type() string   { return "string" }
