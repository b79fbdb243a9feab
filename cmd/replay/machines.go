package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// readMachines reads --machines: lines of worker,machine, with or without a
// header. "" is no file.
func readMachines(path string) (map[string]string, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--machines: %w", err)
	}
	defer f.Close()
	m, err := parseMachines(f)
	if err != nil {
		return nil, fmt.Errorf("--machines %s: %w", path, err)
	}
	return m, nil
}

func parseMachines(r io.Reader) (map[string]string, error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord = 2
	c.TrimLeadingSpace = true
	m := map[string]string{}
	for {
		rec, err := c.Read()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := c.FieldPos(0)
		worker, machine := strings.TrimPrefix(rec[0], "\ufeff"), rec[1]
		switch was, known := m[worker]; {
		case line == 1 && worker == "worker" && machine == "machine":
			continue
		case worker == "" || machine == "":
			return nil, fmt.Errorf("line %d: a worker or machine without a name", line)
		case known && was != machine:
			return nil, fmt.Errorf("line %d: worker %s is on %s and on %s", line, worker, was, machine)
		}
		m[worker] = machine
	}
}
