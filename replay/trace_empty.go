package replay

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"tracereplay/internal/duck"
)

// An empty trace, with all tables, views and comments: a database file without
// anything, and the log beside it that makes all of them. A trace begins as a
// copy of the two: DuckDB takes 3 ms for them, and 0.1 s for the six hundred
// statements, as long as it takes to read a log of 100 MB. (A file that has the
// tables already would leave 1.7 MiB of holes in every trace.) emptyOf says from
// which definitions they were made; with any others the statements are used.
// The three files come from
//
//	go test ./replay -run TestEmptyTrace -update
var (
	//go:embed empty/trace.duckdb.zst
	emptyFile []byte
	//go:embed empty/trace.duckdb.wal.zst
	emptyLog []byte
	//go:embed empty/definitions.sha256
	emptyOf string
)

// writeEmpty puts an empty trace at path. It returns false, and writes nothing,
// if the one at hand has other tables.
func writeEmpty(path string) (bool, error) {
	sum, err := definitionsSum()
	if err != nil || sum != strings.TrimSpace(emptyOf) {
		return false, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return false, err
	}
	defer dec.Close()
	for name, packed := range map[string][]byte{path: emptyFile, path + ".wal": emptyLog} {
		data, err := dec.DecodeAll(packed, nil)
		if err != nil {
			return false, fmt.Errorf("the empty trace in this program: %w", err)
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			return false, err
		}
	}
	return true, nil
}

// definitionsSum is a fingerprint of all that makes the tables and views.
func definitionsSum() (string, error) {
	h := sha256.New()
	for _, s := range Tables() {
		steps, err := duck.Definition(s)
		if err != nil {
			return "", err
		}
		for _, step := range steps {
			fmt.Fprintln(h, step)
		}
	}
	fmt.Fprintln(h, viewsSQL)
	return hex.EncodeToString(h.Sum(nil)), nil
}
