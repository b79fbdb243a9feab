package spark

import "tracereplay/ingest"

// fastMetrics reads the Task Metrics. Tasks that report blocks go the strict
// way: since 2.3 that is off unless asked for.
func fastMetrics(c *cursor, m *ingest.Metrics) {
	for key, ok := c.first(); ok; key, ok = c.next() {
		switch key {
		case "Shuffle Read Metrics", "Shuffle Write Metrics", "Input Metrics", "Output Metrics":
			fastGroup(c, key, m, 3)
		case "Updated Blocks":
			c.bad = c.bad || !c.literal("[]")
		default:
			if to := taskMetric(m, key); to != nil {
				c.opt(to)
			} else {
				c.skip(key, 2)
			}
		}
	}
}

// fastGroup reads a group of metrics whose members lie in depth objects.
func fastGroup(c *cursor, group string, m *ingest.Metrics, depth int) {
	for key, ok := c.first(); ok; key, ok = c.next() {
		if to := groupMetric(m, group, key); to != nil {
			c.opt(to)
		} else if group == "Shuffle Read Metrics" && key == "Push Based Shuffle" {
			fastGroup(c, key, m, depth+1)
		} else {
			c.skip(key, depth)
		}
	}
}
