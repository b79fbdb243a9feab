package spark

import (
	"bytes"

	"github.com/go-faster/jx"

	"tracereplay/ingest"
	"tracereplay/internal/table"
)

func (d *Decoder) unpersistRDD(j *jx.Decoder) error {
	var rdd table.I64
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		switch key {
		case "RDD ID":
			return d.int(j, key, &rdd)
		}
		return j.Skip()
	})
	if err != nil {
		return err
	}
	if !d.need(rdd.OK, "RDD ID") {
		return nil
	}
	d.emit(&ingest.Unpersist{At: d.at(), RDD: rdd.V})
	return nil
}

// blockUpdated reads where a block is. Blocks other than cached partitions and
// files of map outputs are counted only.
func (d *Decoder) blockUpdated(j *jx.Decoder) error {
	e := ingest.BlockUpdate{At: d.at()}
	var s store
	var l level
	named, ours := false, false
	err := d.object(j, "", func(j *jx.Decoder, key string) error {
		if key != "Block Updated Info" {
			return j.Skip()
		}
		return d.object(j, key, func(j *jx.Decoder, key string) error {
			switch key {
			case "Block Manager ID":
				return d.blockManagerID(j, key, &s)
			case "Block ID":
				return d.text(j, key, func(b []byte) { named, ours = true, parseBlock(b, &e) })
			case "Storage Level":
				return d.level(j, key, &l)
			case "Memory Size":
				return d.plainInt(j, key, &e.MemoryBytes)
			case "Disk Size":
				return d.plainInt(j, key, &e.DiskBytes)
			}
			return j.Skip()
		})
	})
	if err != nil || named && !ours {
		return err
	}
	d.expect(s.host != "", "Host")
	if !d.need(named, "Block ID") || !d.need(s.worker != "", "Executor ID") {
		return nil
	}
	e.Worker, e.Host, e.Valid = s.worker, s.host, l.valid()
	d.emit(&e)
	return nil
}

// updatedBlocks reads the blocks that a task reports itself. Where they are is
// where the task ran, which the caller knows.
func (d *Decoder) updatedBlocks(j *jx.Decoder, field string, to *[]ingest.BlockUpdate) error {
	return d.array(j, field, func(j *jx.Decoder) error {
		e := ingest.BlockUpdate{At: d.at()}
		ours := false
		err := d.object(j, field, func(j *jx.Decoder, key string) error {
			switch key {
			case "Block ID":
				return d.text(j, key, func(b []byte) { ours = parseBlock(b, &e) })
			case "Status":
				return d.blockStatus(j, key, &e)
			}
			return j.Skip()
		})
		if err == nil && ours {
			*to = append(*to, e)
		}
		return err
	})
}

func (d *Decoder) blockStatus(j *jx.Decoder, field string, e *ingest.BlockUpdate) error {
	return d.object(j, field, func(j *jx.Decoder, key string) error {
		switch key {
		case "Storage Level":
			var l level
			err := d.level(j, key, &l)
			e.Valid = l.valid()
			return err
		case "Memory Size":
			return d.plainInt(j, key, &e.MemoryBytes)
		case "Disk Size":
			return d.plainInt(j, key, &e.DiskBytes)
		}
		return j.Skip()
	})
}

// parseBlock reads the name of a block: rdd_RDD_PARTITION, or
// shuffle_SHUFFLE_MAP_REDUCE.data and .index, which move when a worker is
// decommissioned (3.1 and later). It returns false for blocks of other kinds.
func parseBlock(name []byte, e *ingest.BlockUpdate) bool {
	if rest, ok := bytes.CutPrefix(name, []byte("rdd_")); ok {
		rdd, partition, ok := bytes.Cut(rest, []byte("_"))
		return ok && parseIDs(&e.RDD, rdd, &e.Partition, partition)
	}
	rest, ok := bytes.CutPrefix(name, []byte("shuffle_"))
	if !ok {
		return false
	}
	rest, data := bytes.CutSuffix(rest, []byte(".data"))
	rest, index := bytes.CutSuffix(rest, []byte(".index"))
	parts := bytes.Split(rest, []byte("_"))
	if data == index || len(parts) != 3 {
		return false
	}
	e.Data = data
	return parseIDs(&e.Shuffle, parts[0], &e.MapTask, parts[1])
}

// parseIDs reads the two numbers of a block's name; neither is set unless both
// are numbers.
func parseIDs(a *table.I64, textA []byte, b *table.I64, textB []byte) bool {
	x, okX := parseInt(textA)
	y, okY := parseInt(textB)
	if okX && okY {
		*a, *b = table.Some(x), table.Some(y)
	}
	return okX && okY
}
