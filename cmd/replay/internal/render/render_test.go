package render

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"tracereplay/internal/table"
)

func sample() ([]Column, [][]any) {
	cols := []Column{
		{Name: "unit"},
		{Name: "tasks", Kind: Count},
		{Name: "recompute_ms", Head: "recompute", Kind: Duration},
		{Name: "owed_bytes", Kind: Bytes},
		{Name: "at_ms", Kind: Instant},
		{Name: "share", Kind: Share},
		{Name: "detail", Hide: true},
	}
	rows := [][]any{
		{"node-1", int64(1234567), int64(44089), table.Some[int64](1 << 31), int64(1772395200000), 0.831, "x"},
		{"", 12, 1.5, table.I64{}, nil, table.Some(1.0), table.Some("a,\"b\"")},
	}
	return cols, rows
}

func TestFormats(t *testing.T) {
	for f, want := range map[Format]string{
		Text: `unit        tasks  recompute  owed_bytes                    at_ms  share
node-1  1,234,567     44.1 s       2 GiB  2026-03-01 20:00:00.000   83 %
               12       2 ms           -                        -  100 %
`,
		CSV: `unit,tasks,recompute_ms,owed_bytes,at_ms,share,detail
node-1,1234567,44089,2147483648,1772395200000,0.831,x
"",12,1.5,,,1,"a,""b"""
`,
		JSON: `[
{"unit":"node-1","tasks":1234567,"recompute_ms":44089,"owed_bytes":2147483648,"at_ms":1772395200000,"share":0.831,"detail":"x"},
{"unit":"","tasks":12,"recompute_ms":1.5,"owed_bytes":null,"at_ms":null,"share":1,"detail":"a,\"b\""}
]
`,
	} {
		var b strings.Builder
		cols, rows := sample()
		if err := All(&b, f, cols, rows, Options{}); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%s:\n%s\nwant\n%s", f, b.String(), want)
		}
	}
}

func TestNoRows(t *testing.T) {
	cols := []Column{{Name: "a"}, {Name: "b"}}
	for f, want := range map[Format]string{Text: "a  b\n", CSV: "a,b\n", JSON: "[]\n"} {
		var b strings.Builder
		if err := All(&b, f, cols, nil, Options{}); err != nil || b.String() != want {
			t.Errorf("%s: %q %v, want %q", f, b.String(), err, want)
		}
	}
}

// hostile texts must reach a terminal as letters only.
func hostile() []string {
	return []string{
		"\x1b[31mred\x1b]0;title\a", "\u009b31m", "a\nb\r\tc\x00", "\u202eltr\u2066", "bad \xff utf8", "zero\u200bwidth\ufeff",
		"\U000e0041tag",
	}
}

func TestSafe(t *testing.T) {
	if got, want := Safe("\x1b[1m\n\u202e\xffé日"), `\x1b[1m\n\u202e\xffé日`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	cols := []Column{{Name: "a\x1b"}}
	for _, h := range hostile() {
		for _, f := range []Format{Text, CSV, JSON} {
			var b strings.Builder
			if err := All(&b, f, cols, [][]any{{h}}, Options{Terminal: true}); err != nil {
				t.Fatal(err)
			}
			for _, r := range b.String() {
				if r != '\n' && isUnsafe(r) {
					t.Errorf("%s of %q lets %U through: %q", f, h, r, b.String())
				}
			}
		}
	}
}

// csv in a file and json are exact.
func TestExact(t *testing.T) {
	for _, h := range hostile() {
		got := string(appendJSON(nil, h))
		var back string
		if err := json.Unmarshal([]byte(got), &back); err != nil || back != strings.ToValidUTF8(h, "\ufffd") {
			t.Errorf("%q comes back as %q (%v)", h, back, err)
		}
		var b strings.Builder
		if err := All(&b, CSV, []Column{{Name: "a"}}, [][]any{{h}}, Options{}); err != nil || !strings.Contains(b.String(), h) {
			t.Errorf("csv of %q is %q", h, b.String())
		}
	}
}

// A text that a spreadsheet would reckon is shown by it; numbers stay numbers.
func TestFormulas(t *testing.T) {
	for in, want := range map[string]string{
		"=1+1": "'=1+1", "@SUM(A1)": "'@SUM(A1)", "-2+3": "'-2+3", "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "\t=1": "'\t=1",
		"\uff1d1+1": "'\uff1d1+1", "-5": "-5", "+1.5e3": "+1.5e3", "-": "-", "a=b": "a=b", "": `""`, "'=x": "'=x",
	} {
		for exact, want := range map[bool]string{false: want, true: in} {
			var b strings.Builder
			opt := Options{Exact: exact}
			if err := All(&b, CSV, []Column{{Name: "a"}}, [][]any{{in}}, opt); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSuffix(b.String(), "\n")[2:]; got != want && in != "" {
				t.Errorf("%q, exact %v: %q, want %q", in, exact, got, want)
			}
		}
	}
	var b strings.Builder
	if err := All(&b, CSV, []Column{{Name: "a"}}, [][]any{{int64(-5)}, {-0.5}}, Options{}); err != nil || b.String() != "a\n-5\n-0.5\n" {
		t.Errorf("%q", b.String())
	}
}

func TestScaled(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		v    any
		want string
	}{
		{Duration, int64(44_700), "44.7 s"},
		{Bytes, int64(1536), "1.5 KiB"},
		{Count, int64(-1234), "-1,234"},
		{Count, 1234.56, "1,235"},
		{Plain, int64(1234), "1234"},
		{Plain, 1e-9, "1e-09"},
		{Plain, true, "true"},
		{Plain, nil, "-"},
		{Plain, json.Number("123456789012345678901234567890"), "123456789012345678901234567890"},
		{Plain, []any{int64(1), "a"}, `[1,"a"]`},
		{Plain, map[string]any{"b": nil, "a": 1.5}, `{"a":1.5,"b":null}`},
		{Plain, time.UnixMilli(0).UTC(), "1970-01-01T00:00:00Z"},
		{Instant, int64(1500), "1970-01-01 00:00:01.500"},
	} {
		if got := scaled(c.kind, c.v, Options{}); got != c.want {
			t.Errorf("%v of kind %d: %q, want %q", c.v, c.kind, got, c.want)
		}
	}
}
