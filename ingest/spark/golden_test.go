package spark_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tracereplay/ingest"
	"tracereplay/ingest/spark"
)

// TestGolden decodes the lines in testdata: events of every kind, as the
// versions of Spark write them, and lines with something wrong.
//
//	decode [cut] [crlf]
//
// cut: the log ends where the input does. crlf: lines end in CR LF. Each input
// is read the fast way and the strict way, which must agree.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata/golden", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			input := unescape(td.Input)
			if !td.HasArg("cut") {
				input += "\n"
			}
			if td.HasArg("crlf") {
				input = strings.ReplaceAll(input, "\n", "\r\n")
			}
			fast := decode(input, td.HasArg("cut"), spark.Options{})
			if full := decode(input, td.HasArg("cut"), spark.Options{FullParse: true}); full != fast {
				t.Errorf("%s: the strict way gives\n%s\nthe fast way\n%s", td.Pos, full, fast)
			}
			return fast
		})
	})
}

// unescape puts in the bytes that a text file cannot show.
func unescape(s string) string {
	return strings.NewReplacer("<BOM>", "\xef\xbb\xbf", "<FF>", "\xff", "<NUL>", "\x00").Replace(s)
}

func decode(text string, cut bool, opt spark.Options) string {
	var b ingest.Batch
	spark.NewDecoder(opt).Decode(&b, []byte(text), "log", 0, 1, 1, cut)
	return dump(&b)
}
