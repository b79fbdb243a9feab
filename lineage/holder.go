package lineage

import (
	"strings"

	"tracereplay/internal/table"
)

// storage is what the settings say keeps map outputs.
type storage uint8

const (
	onWorker  storage = iota // the worker's own disk
	onMachine                // a shuffle service on each machine
	onService                // a remote shuffle service
	onStore                  // a durable store
)

// Storage tells what keeps map outputs, and the setting that says so.
type Storage struct {
	kind    storage
	Setting string // "" = default
}

// storageFor reads off the settings what keeps map outputs.
func storageFor(s map[string]string) Storage {
	manager := strings.ToLower(s["spark.shuffle.manager"])
	plugin := strings.ToLower(s["spark.shuffle.sort.io.plugin.class"])
	switch {
	case strings.Contains(manager, "celeborn"), strings.Contains(manager, "uniffle"), strings.Contains(manager, "rssshuffle"),
		strings.Contains(manager, "remoteshuffle"):
		return Storage{onService, "spark.shuffle.manager=" + s["spark.shuffle.manager"]}
	case strings.Contains(plugin, "s3"), strings.Contains(manager, "s3"):
		return Storage{onStore, "spark.shuffle.sort.io.plugin.class=" + s["spark.shuffle.sort.io.plugin.class"]}
	case isTrue(s["spark.shuffle.service.enabled"]) && isTrue(s["spark.shuffle.push.enabled"]):
		return Storage{onMachine, "spark.shuffle.service.enabled=true, spark.shuffle.push.enabled=true"}
	case isTrue(s["spark.shuffle.service.enabled"]):
		return Storage{onMachine, "spark.shuffle.service.enabled=true"}
	}
	return Storage{onWorker, ""}
}

// shuffleHolder is the holder of a map output that worker w wrote.
func (a *app) shuffleHolder(w int32) HolderRow {
	switch a.storage.kind {
	case onMachine:
		host := a.workers[w].host
		if host == "" {
			host = "unknown"
		}
		return HolderRow{App: a.key, Holder: "machine:" + host, DiesWith: "machine", Machine: a.machineOf(w)}
	case onService:
		return HolderRow{App: a.key, Holder: "service:remote", DiesWith: "service", Service: table.Some("remote")}
	case onStore:
		return HolderRow{App: a.key, Holder: "store", DiesWith: "never"}
	}
	return a.workerHolder(w)
}

// workerHolder is a worker's own memory and disk.
func (a *app) workerHolder(w int32) HolderRow {
	id := a.workers[w].id
	if id == "fallback" { // Spark's name for the store that decommissioned workers fall back to
		return HolderRow{App: a.key, Holder: "store", DiesWith: "never"}
	}
	return HolderRow{App: a.key, Holder: "worker:" + id, DiesWith: "worker", Worker: table.Some(id), Machine: a.machineOf(w)}
}
