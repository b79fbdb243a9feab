-- Purpose: the things that can be removed, each with its life.
-- Grain:   one row per unit.
-- Inputs:  world.worker, world.machine, world.holder, world.rules, loss.param
-- Parameters: loss.param.unit_kind, loss.param.unit (null = all).
-- Compared: with what was there, since all else rests on it
-- Outputs: unit_no; unit_kind worker, machine or service; unit; from_ms, to_ms (ms): its life;
--          is_coordinator: the coordinator runs there too, so it is in no mean.
CREATE OR REPLACE TABLE loss.unit AS
WITH life AS (
    SELECT w.worker, w.machine, w.is_coordinator,
        coalesce(w.added_ms, r.start_ms) AS from_ms,
        least(coalesce(w.removed_ms, r.end_ms), r.end_ms) AS to_ms
    FROM world.worker w CROSS JOIN world.rules r
),
worker_unit AS (
    SELECT 'worker' AS unit_kind, worker AS unit, from_ms, to_ms, false AS is_coordinator
    FROM life
    WHERE NOT is_coordinator
),
machine_unit AS (
    SELECT 'machine' AS unit_kind, l.machine AS unit, min(l.from_ms) AS from_ms, max(l.to_ms) AS to_ms,
        coalesce(any_value(m.is_coordinator), false) AS is_coordinator
    FROM life l LEFT JOIN world.machine m ON m.machine = l.machine
    WHERE NOT l.is_coordinator AND l.machine IS NOT NULL
    GROUP BY l.machine
),
service_unit AS (
    SELECT DISTINCT 'service' AS unit_kind, h.service AS unit, r.start_ms AS from_ms, r.end_ms AS to_ms, false AS is_coordinator
    FROM world.holder h CROSS JOIN world.rules r
    WHERE h.dies_with = 'service' AND h.service IS NOT NULL
),
every_unit AS (
    SELECT unit_kind, unit, from_ms, to_ms, is_coordinator FROM worker_unit
    UNION ALL
    SELECT unit_kind, unit, from_ms, to_ms, is_coordinator FROM machine_unit
    UNION ALL
    SELECT unit_kind, unit, from_ms, to_ms, is_coordinator FROM service_unit
)
SELECT (row_number() OVER (ORDER BY u.unit_kind, u.unit))::INTEGER AS unit_no,
    u.unit_kind, u.unit, u.from_ms, u.to_ms, u.is_coordinator
FROM every_unit u CROSS JOIN loss.param p
WHERE u.from_ms < u.to_ms
    AND (p.unit_kind IS NULL OR u.unit_kind = p.unit_kind)
    AND (p.unit IS NULL OR u.unit = p.unit)
ORDER BY unit_no;
