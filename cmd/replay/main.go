// Command replay reads the logs of distributed runs and says what losing each
// worker or machine would have cost. `replay --help` lists what it does.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // zones are known on machines without a database of them
)

// grace is how long an interrupted command may take to clean up. It takes that
// long only where a read or write cannot be broken off, as from a pipe that
// nobody writes to; what it leaves then is removed by the next run.
const grace = 5 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second signal ends the process at once
		time.Sleep(grace)
		fmt.Fprintln(os.Stderr, "replay: interrupted while an input or output kept it waiting")
		os.Exit(exitFailed)
	})
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	os.Exit(code)
}
