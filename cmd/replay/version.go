package main

import (
	"fmt"
	"runtime"

	"tracereplay/replay"
)

// version is this program's version, as CHANGELOG.md has it.
const version = "0.1.0"

func versionLine() string {
	return fmt.Sprintf("replay %s (trace schema %d, %s)\n", version, replay.SchemaVersion, runtime.Version())
}
