package sim

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Scheduled is one line of a schedule of withdrawals: a unit goes (or comes).
type Scheduled struct {
	Place        string // "line 3", for messages
	Unit         string
	Comes        bool
	Notice, Gone When
}

// When is a time of a schedule in one of its forms.
type When struct {
	Text    string // as the user wrote it, to be read by who knows the run's time zone
	EpochMs int64  // of a cloud's notice
	SinceMs int64  // since the start of the fleet's record
	Form    WhenForm
}

// WhenForm tells which field of a When counts.
type WhenForm uint8

// The forms of a When.
const (
	WhenText WhenForm = iota
	WhenEpoch
	WhenSince
	WhenNever // not said
)

// Notices that the clouds give.
const (
	awsNoticeMs = 120_000
	gcpNoticeMs = 30_000
)

// ReadSchedule reads a schedule in one of these forms, told by its content:
//
//	notice,gone,unit            CSV, with or without this head; notice may be empty
//	ms,add|remove,node          CSV: the record of a fleet with named nodes
//	[ms, "add"|"remove"|..., {"nodes": [...]}]
//	                            JSON lines: the same
//	{"detail-type": "EC2 Spot Instance Interruption Warning", ...}
//	                            JSON objects: notices of Amazon EventBridge
//	{"protoPayload": {"methodName": "compute.instances.preempted", ...}}
//	                            JSON objects: audit log entries of Google Cloud
func ReadSchedule(data []byte) ([]Scheduled, error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(text) == 0 {
		return nil, errors.New("the schedule is empty")
	}
	switch text[0] {
	case '[', '{':
		return readJSONSchedule(text)
	}
	return readCSVSchedule(text)
}

func readCSVSchedule(text []byte) ([]Scheduled, error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.TrimLeadingSpace, r.Comment = 3, true, '#'
	var out []Scheduled
	for {
		f, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		x, err := csvLine(f)
		if err != nil && len(out) == 0 && line == 1 {
			continue // a head
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		x.Place = fmt.Sprint("line ", line)
		out = append(out, x)
	}
}

// csvLine reads a line of either CSV form.
func csvLine(f []string) (Scheduled, error) {
	if f[2] == "" {
		return Scheduled{}, errors.New("no unit")
	}
	if f[1] == "add" || f[1] == "remove" {
		ms, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil || ms < 0 || ms > maxMs {
			return Scheduled{}, fmt.Errorf("%q is no time in ms", f[0])
		}
		at := When{Form: WhenSince, SinceMs: ms}
		return Scheduled{Unit: f[2], Comes: f[1] == "add", Notice: When{Form: WhenNever}, Gone: at}, nil
	}
	if strings.EqualFold(f[1], "gone") || strings.EqualFold(f[2], "unit") {
		return Scheduled{}, errors.New("a head")
	}
	x := Scheduled{Unit: f[2], Notice: When{Text: f[0]}, Gone: When{Text: f[1]}}
	if f[0] == "" {
		x.Notice = When{Form: WhenNever}
	}
	if f[1] == "" {
		return x, errors.New("no time when it is gone")
	}
	return x, nil
}

func readJSONSchedule(text []byte) ([]Scheduled, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	var out []Scheduled
	for n := 1; ; n++ {
		var raw json.RawMessage
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("entry %d: %w", n, err)
		}
		list, err := jsonEntry(raw)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", n, err)
		}
		for i := range list {
			list[i].Place = fmt.Sprint("entry ", n)
		}
		out = append(out, list...)
	}
}

// jsonEntry reads a step of a fleet, a notice, or a list of notices.
func jsonEntry(raw json.RawMessage) ([]Scheduled, error) {
	if raw[0] == '{' {
		x, err := cloudNotice(raw)
		return []Scheduled{x}, err
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil, err
	}
	if len(parts) > 0 && len(parts[0]) > 0 && parts[0][0] == '{' {
		var out []Scheduled
		for _, p := range parts {
			x, err := cloudNotice(p)
			if err != nil {
				return nil, err
			}
			out = append(out, x)
		}
		return out, nil
	}
	return fleetStep(parts)
}

func fleetStep(parts []json.RawMessage) ([]Scheduled, error) {
	var ms int64
	var what string
	var detail struct {
		Nodes []string `json:"nodes"`
	}
	if len(parts) != 3 {
		return nil, errors.New("not [ms, what, detail]")
	}
	for i, v := range []any{&ms, &what, &detail} {
		if err := json.Unmarshal(parts[i], v); err != nil {
			return nil, err
		}
	}
	if ms < 0 || ms > maxMs {
		return nil, fmt.Errorf("%d is no time in ms", ms)
	}
	if what != "add" && what != "remove" {
		return nil, nil // other steps say nothing about nodes
	}
	var out []Scheduled
	for _, n := range detail.Nodes {
		out = append(out, Scheduled{Unit: n, Comes: what == "add", Notice: When{Form: WhenNever}, Gone: When{Form: WhenSince, SinceMs: ms}})
	}
	return out, nil
}

// cloudNotice reads a provider's notice.
func cloudNotice(raw json.RawMessage) (Scheduled, error) {
	var n struct {
		DetailType string    `json:"detail-type"`
		Time       time.Time `json:"time"`
		Timestamp  time.Time `json:"timestamp"`
		Resources  []string  `json:"resources"`
		Detail     struct {
			Instance string `json:"instance-id"`
		} `json:"detail"`
		Proto struct {
			Method   string `json:"methodName"`
			Resource string `json:"resourceName"`
		} `json:"protoPayload"`
	}
	if err := json.Unmarshal(raw, &n); err != nil {
		return Scheduled{}, err
	}
	at, unit, notice := n.Time, n.Detail.Instance, int64(awsNoticeMs)
	switch {
	case strings.HasSuffix(n.Proto.Method, "compute.instances.preempted"):
		at, notice = n.Timestamp, gcpNoticeMs
		unit = n.Proto.Resource[strings.LastIndexByte(n.Proto.Resource, '/')+1:]
	case !strings.Contains(n.DetailType, "Interruption Warning"):
		return Scheduled{}, fmt.Errorf("no notice of a withdrawal that this tool knows: %q", n.DetailType+n.Proto.Method)
	case unit == "" && len(n.Resources) > 0:
		unit = n.Resources[0][strings.LastIndexByte(n.Resources[0], '/')+1:]
	}
	if unit == "" {
		return Scheduled{}, errors.New("the notice names no machine")
	}
	if at.IsZero() {
		return Scheduled{}, errors.New("the notice has no time")
	}
	ms := at.UnixMilli()
	return Scheduled{Unit: unit, Notice: When{Form: WhenEpoch, EpochMs: ms}, Gone: When{Form: WhenEpoch, EpochMs: ms + notice}}, nil
}

// Fleet plays the record of a fleet onto a run's machines: the nodes that are
// there at first take the machines' places in their order. A machine whose node
// is taken goes, and the next node that is added comes in its place. Nodes
// beyond the run's machines are not used.
func Fleet(run *Run, steps []Scheduled) ([]Removal, []Arrival) {
	steps = slices.Clone(steps)
	slices.SortStableFunc(steps, func(a, b Scheduled) int { return int(a.Gone.SinceMs - b.Gone.SinceMs) })
	var vacant []int32
	for m := range run.Machines {
		if int32(m) != run.Coordinator {
			vacant = append(vacant, int32(m))
		}
	}
	on := map[string]int32{}
	var gone []Removal
	var back []Arrival
	for _, s := range steps {
		at := s.Gone.SinceMs
		m, used := on[s.Unit]
		switch {
		case s.Comes && !used && len(vacant) > 0:
			on[s.Unit] = vacant[0]
			if at > 0 {
				back = append(back, Arrival{at, vacant[0]})
			}
			vacant = vacant[1:]
		case !s.Comes && used:
			delete(on, s.Unit)
			vacant = append(vacant, m)
			gone = append(gone, Removal{GoneMs: at, NoticeMs: at, DetectMs: at + run.Rules.DetectMs, Machine: m})
		}
	}
	return gone, back
}
