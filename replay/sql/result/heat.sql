-- Purpose: a map of what losing each unit would have cost, over time, that keeps the worst of what a cell stands for.
-- Grain:   one row per row of the map and bin of time in which one of its units is alive.
-- Inputs:  loss.heat_cell
-- Outputs: heat_row, bin; unit_no; instant_ms (ms); worst_ms (slot ms). The names of units are not joined here: of a million cells
--          that took more memory than the cells.
SELECT heat_row::BIGINT AS heat_row, bin::BIGINT AS bin, unit_no::BIGINT AS unit_no, instant_ms::BIGINT AS instant_ms, worst_ms::BIGINT AS worst_ms
FROM loss.heat_cell
ORDER BY heat_row, bin;
