-- Purpose: what the engine's progress says is done, and what no single removal could undo.
-- Grain:   one row per instant asked for, and one for the end of the run.
-- Inputs:  loss.asked, loss.sum_at, loss.unit, world.attempt, world.rules
-- Parameters: $1 how many instants.
-- Outputs: the columns of table progress.
-- Algorithm: useful slot time is that of attempts that succeeded and repeat nothing; it counts when the attempt ends.
WITH grid AS (
    SELECT DISTINCT r.start_ms + ((r.end_ms - r.start_ms) * i.step + $1::BIGINT - 1) // $1::BIGINT AS at_ms
    FROM world.rules r CROSS JOIN range($1::BIGINT + 1) i(step)
),
useful AS (
    SELECT end_ms AS at_ms, sum(end_ms - start_ms) AS slot_ms
    FROM world.attempt
    WHERE status = 'success' AND NOT is_rerun
    GROUP BY end_ms
),
running AS (
    SELECT at_ms, sum(slot_ms) OVER (ORDER BY at_ms ROWS UNBOUNDED PRECEDING) AS slot_ms FROM useful
),
total AS (
    SELECT coalesce(sum(slot_ms), 0)::BIGINT AS slot_ms FROM useful
),
finished AS (
    SELECT g.at_ms, coalesce(f.slot_ms, 0)::BIGINT AS slot_ms FROM grid g ASOF LEFT JOIN running f ON f.at_ms <= g.at_ms
),
banked AS (
    SELECT s.at_ms, max(s.owed_ms + s.climb_ms + s.cached_ms) AS banked_ms,
        arg_max(u.unit, (s.owed_ms + s.climb_ms + s.cached_ms, -s.unit_no)) AS unit
    FROM loss.sum_at s JOIN loss.unit u ON u.unit_no = s.unit_no
    WHERE NOT u.is_coordinator
    GROUP BY s.at_ms
)
SELECT f.at_ms AS instant_ms, f.slot_ms AS finished_ms, t.slot_ms AS useful_ms,
    coalesce(b.banked_ms, 0) AS worst_banked_ms,
    CASE WHEN b.banked_ms > 0 THEN b.unit END AS worst_unit,
    f.slot_ms::DOUBLE / nullif(t.slot_ms, 0) AS progress,
    greatest(f.slot_ms - coalesce(b.banked_ms, 0), 0)::DOUBLE / nullif(t.slot_ms, 0) AS safe_progress
FROM finished f
CROSS JOIN total t
LEFT JOIN banked b ON b.at_ms = f.at_ms
ORDER BY f.at_ms;
