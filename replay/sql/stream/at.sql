-- Purpose: the state that stands on each unit at the instants that were asked for.
-- Grain:   one row per unit and instant of loss.asked, and query whose state stands there.
-- Inputs:  stream.held, loss.unit, world.rules
-- Outputs: the columns of table stream_state.
SELECT
    r.app, u.unit_kind, u.unit, h.at_ms AS instant_ms, h.query, h.query_run, h.state_partitions, h.of_partitions, h.state_bytes, h.state_load_ms
FROM stream.held AS h
JOIN loss.unit AS u ON u.unit_no = h.unit_no
CROSS JOIN world.rules AS r
ORDER BY u.unit_kind, u.unit, h.at_ms, h.query, h.query_run;
