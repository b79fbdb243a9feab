-- Purpose: a map of what losing each unit would have cost, over time, that keeps the worst of what a cell stands for.
-- Grain:   one row per row of the map and bin of time in which one of its units is alive.
-- Inputs:  loss.heat_cell, loss.unit, world.rules
-- Parameters: $1 how many bins the run is cut into.
-- Outputs: the columns of table heat.
SELECT h.heat_row, h.bin,
    r.start_ms + ((r.end_ms - r.start_ms) * h.bin + $1::BIGINT - 1) // $1::BIGINT AS from_ms,
    r.start_ms + ((r.end_ms - r.start_ms) * (h.bin + 1) + $1::BIGINT - 1) // $1::BIGINT AS to_ms,
    u.unit_kind, u.unit, u.is_coordinator, h.instant_ms, h.worst_ms
FROM loss.heat_cell h
JOIN loss.unit u ON u.unit_no = h.unit_no
CROSS JOIN world.rules r
ORDER BY h.heat_row, h.bin;
