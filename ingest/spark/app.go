package spark

import (
	"strings"

	"github.com/go-faster/jx"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

const engine = "spark"

func (d *Decoder) logStart(j *jx.Decoder) error {
	e := ingest.LogStart{At: d.at(), Engine: engine}
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Spark Version":
			return d.string(j, key, &e.Version)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(e.Version != "", "Spark Version")
	d.emit(&e)
	return nil
}

// databricksStart reads the line that begins each file of a Databricks log,
// which has no LogStart. Only that of the first file starts a log.
func (d *Decoder) databricksStart(j *jx.Decoder) error {
	e := ingest.LogStart{At: d.at(), Engine: engine}
	var file table.I64
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Spark Version":
			return d.string(j, key, &e.Version)
		case "Rollover Number":
			return d.int(j, key, &file)
		}
		return j.Skip()
	})
	if err == nil && file == table.Some[int64](0) {
		d.emit(&e)
	}
	return err
}

func (d *Decoder) applicationStart(j *jx.Decoder) error {
	e := ingest.AppStart{At: d.at()}
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "App ID":
			return d.string(j, key, &e.ID)
		case "App Attempt ID":
			return d.string(j, key, &e.Attempt)
		case "App Name":
			return d.string(j, key, &e.Name)
		case "User":
			return d.string(j, key, &e.User)
		case "Timestamp":
			return d.int(j, key, &e.Ms)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(e.Ms.OK, "Timestamp")
	d.emit(&e)
	return nil
}

func (d *Decoder) applicationEnd(j *jx.Decoder) error {
	e := ingest.AppEnd{At: d.at()}
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Timestamp":
			return d.int(j, key, &e.Ms)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(e.Ms.OK, "Timestamp")
	d.emit(&e)
	return nil
}

// environmentUpdate keeps the settings that say how the engine behaves. Values
// of secrets are redacted by Spark as it writes the log.
func (d *Decoder) environmentUpdate(j *jx.Decoder) error {
	e := ingest.Settings{At: d.at()}
	found := false
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "Spark Properties":
			found = true
			return d.settings(j, key, "spark", keepAll, &e.Values)
		case "JVM Information":
			return d.settings(j, key, "jvm", keepAll, &e.Values)
		case "Metrics Properties":
			return d.settings(j, key, "metrics", keepAll, &e.Values)
		case "System Properties":
			return d.settings(j, key, "system", keepSystem, &e.Values)
		case "Hadoop Properties":
			return d.settings(j, key, "hadoop", keepHadoop, &e.Values)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	d.expect(found, "Spark Properties")
	d.emit(&e)
	return nil
}

// settings reads one scope of settings. Values that are no strings are kept
// as the JSON they are.
func (d *Decoder) settings(j *jx.Decoder, field, scope string, keep func(string) bool, to *[]ingest.Setting) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		if !keep(key) {
			return j.Skip()
		}
		s := ingest.Setting{Scope: scope, Name: d.strings.intern([]byte(key))}
		err := d.any(j, field+"/"+key, &s.Value)
		*to = append(*to, s)
		return err
	})
}

func keepAll(string) bool { return true }

// keepSystem picks the properties of the JVM that change what a log means: the
// time zone of its users, the charset of logs before 3.0, and settings of
// Spark given as -D.
func keepSystem(name string) bool {
	switch name {
	case "user.timezone", "file.encoding", "os.name", "os.arch", "java.version":
		return true
	}
	return strings.HasPrefix(name, "spark.")
}

// keepHadoop picks the few of some thousand Hadoop properties that bear on
// losses: where durable data is, how output is committed, whether node managers
// run a shuffle service, and when YARN takes a silent machine for dead.
func keepHadoop(name string) bool {
	switch name {
	case "fs.defaultFS",
		"mapreduce.fileoutputcommitter.algorithm.version",
		"yarn.nodemanager.aux-services",
		"yarn.nm.liveness-monitor.expiry-interval-ms",
		"yarn.am.liveness-monitor.expiry-interval-ms":
		return true
	}
	return false
}
