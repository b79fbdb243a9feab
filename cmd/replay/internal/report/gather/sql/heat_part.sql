-- Purpose: what the worst of each cell of the heat map is made of.
-- Grain:   one row per cell of loss.heat_cell.
-- Inputs:  loss.heat_cell, loss.delta_own, loss.delta_shared, loss.curve
-- Outputs: heat_row; bin; owed_ms, climb_ms, cached_ms (slot ms): the rest of its cost is in flight; outputs: owed and climb;
--          slack_ms (slot ms): how much less is surely redone.
WITH jump AS (
    SELECT unit_no, at_ms, high, pieces, cost_ms FROM loss.delta_own WHERE high > 0
    UNION ALL
    SELECT unit_no, at_ms, high, pieces, cost_ms FROM loss.delta_shared WHERE high > 0
),
moment AS (
    SELECT unit_no, at_ms,
        coalesce(sum(cost_ms) FILTER (WHERE high = 1), 0) AS owed_ms,
        coalesce(sum(cost_ms) FILTER (WHERE high = 2), 0) AS climb_ms,
        coalesce(sum(cost_ms) FILTER (WHERE high = 3), 0) AS cached_ms,
        coalesce(sum(pieces) FILTER (WHERE high < 3), 0) AS outputs
    FROM jump
    GROUP BY unit_no, at_ms
),
standing AS (
    SELECT unit_no, at_ms, sum(owed_ms) OVER so_far AS owed_ms, sum(climb_ms) OVER so_far AS climb_ms,
        sum(cached_ms) OVER so_far AS cached_ms, sum(outputs) OVER so_far AS outputs
    FROM moment
    WINDOW so_far AS (PARTITION BY unit_no ORDER BY at_ms ROWS UNBOUNDED PRECEDING)
)
SELECT h.heat_row::BIGINT AS heat_row, h.bin::BIGINT AS bin, coalesce(s.owed_ms, 0)::DOUBLE AS owed_ms,
    coalesce(s.climb_ms, 0)::DOUBLE AS climb_ms, coalesce(s.cached_ms, 0)::DOUBLE AS cached_ms,
    coalesce(s.outputs, 0)::BIGINT AS outputs, (c.recompute_ms - c.recompute_low_ms)::DOUBLE AS slack_ms
FROM loss.heat_cell h
ASOF LEFT JOIN standing s ON s.unit_no = h.unit_no AND s.at_ms <= h.instant_ms
ASOF JOIN loss.curve c ON c.unit_no = h.unit_no AND c.instant_ms <= h.instant_ms
ORDER BY h.heat_row, h.bin;
