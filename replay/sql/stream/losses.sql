-- Purpose: what losing each unit costs at its worst instant within each batch.
-- Grain:   one row per query, run, batch and unit that was alive in it.
-- Inputs:  stream.worst, stream.held, stream.load, stream.standing, loss.unit, world.rules
-- Outputs: app, query, query_run, batch, unit_kind, unit, is_coordinator, instant_ms, until_ms (ms), supremum_ms (slot ms),
--   state_partitions, state_bytes (bytes), state_load_ms (slot ms). The parts of the loss are those of table blast at the instant.
SELECT
    r.app, w.query, w.query_run, w.batch, u.unit_kind, u.unit, u.is_coordinator, w.at_ms AS instant_ms, w.until_ms, w.supremum_ms,
    coalesce(h.state_partitions, 0) AS state_partitions,
    CASE WHEN h.unit_no IS NULL THEN 0 ELSE h.state_bytes END AS state_bytes,
    CASE WHEN h.unit_no IS NULL AND l.query IS NOT NULL THEN 0 ELSE h.state_load_ms END AS state_load_ms
FROM stream.worst AS w
JOIN loss.unit AS u ON u.unit_no = w.unit_no
CROSS JOIN world.rules AS r
LEFT JOIN stream.held AS h ON h.unit_no = w.unit_no AND h.at_ms = w.at_ms AND h.query = w.query AND h.query_run = w.query_run
LEFT JOIN stream.load AS l ON l.query = w.query
ORDER BY w.query, w.query_run, w.batch, u.unit_kind, u.unit;
