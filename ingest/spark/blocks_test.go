package spark_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tracereplay/ingest"
	"tracereplay/ingest/spark"
)

// TestBlocks holds the decoder to giving the same events, at the same places,
// however a log is cut into blocks and whoever reads them.
func TestBlocks(t *testing.T) {
	text := sample(40)
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if filepath.Base(name) == "exclusion.txt" {
			continue // of a pair in two blocks both stay
		}
		lines, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, lines...)
	}
	var whole ingest.Batch
	spark.NewDecoder(spark.Options{}).Decode(&whole, text, "log", 1000, 10, 100, false)
	for _, most := range []int{1, 2, 7, 100} {
		if diff := cmp.Diff(whole, decodeBlocks(text, most), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("blocks of %d lines (-whole +blocks):\n%s", most, diff)
		}
	}
}

// decodeBlocks decodes blocks of up to most lines with two decoders in turn.
func decodeBlocks(text []byte, most int) ingest.Batch {
	var b ingest.Batch
	decoders := []*spark.Decoder{spark.NewDecoder(spark.Options{}), spark.NewDecoder(spark.Options{})}
	offset, line := int64(1000), int64(10)
	for turn := 0; len(text) > 0; turn++ {
		size, n := 0, 0
		for n < most && size < len(text) {
			size += bytes.IndexByte(text[size:], '\n') + 1
			n++
		}
		block := bytes.Clone(text[:size])
		decoders[turn%2].Decode(&b, block, "log", offset, line, line+90, false)
		clear(block) // nothing may point into it
		text = text[size:]
		offset += int64(size)
		line += int64(n)
	}
	return b
}
