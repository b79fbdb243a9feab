package source

import (
	"bytes"
	"os"
	"testing"
)

// testdata/Genuine.java wrote the files with the libraries that Spark 3.5.5 ships (lz4-java
// 1.8.0, snappy-java 1.1.10.5, compress-lzf 1.1.2, zstd-jni 1.5.5-4), set up as
// its CompressionCodec does, with a flush every 50 lines. The two "twice" files
// are a stream with another one appended.
func TestGenuine(t *testing.T) {
	want, err := os.ReadFile("testdata/genuine.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, codec := range map[string]string{
		"genuine.lz4":          codecLZ4,
		"genuine-twice.lz4":    codecLZ4,
		"genuine.snappy":       codecSnappy,
		"genuine-twice.snappy": codecSnappy,
		"genuine.lzf":          codecLZF,
		"genuine.zstd":         codecZstd,
		"genuine.json":         codecNone,
	} {
		t.Run(name, func(t *testing.T) {
			logs, notes, err := Resolve([]string{"testdata/" + name}, Options{})
			if err != nil || len(notes) > 0 || len(logs) != 1 {
				t.Fatal(logs, notes, err)
			}
			if l := logs[0]; l.Parts[0].Codec != codec || l.AppID != "app-20260101000000-0001" || l.Rolling || l.InProgress {
				t.Errorf("resolved to %+v, part %+v", l, l.Parts[0])
			}
			d := drain(t, logs[0], Options{}, true)
			if d.err != nil || len(d.Problems()) > 0 || !bytes.Equal(d.text, want) {
				t.Errorf("%d bytes, want %d; err %v, problems %v", len(d.text), len(want), d.err, d.Problems())
			}
			if s := d.PartStats()[0]; s.Unfinished || s.Lines != 243 {
				t.Errorf("statistics %+v", s)
			}
		})
	}
}

// A live log in LZ4 lacks the end mark, and nothing else.
func TestUnfinished(t *testing.T) {
	b, err := os.ReadFile("testdata/genuine.lz4")
	if err != nil {
		t.Fatal(err)
	}
	d := drain(t, logOf("x", b[:len(b)-lz4Header]), Options{}, false)
	if s := d.PartStats()[0]; !s.Unfinished || len(d.Problems()) > 0 {
		t.Errorf("statistics %+v, problems %v", s, d.Problems())
	}
}
