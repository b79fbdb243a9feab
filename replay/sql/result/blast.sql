-- Purpose: what losing a unit costs at the instants that were asked for.
-- Grain:   one row per unit and instant of loss.asked.
-- Inputs:  loss.asked, loss.unit, loss.curve, loss.sum_at, loss.oldest_at, loss.interrupted_at, loss.requeued_at, world.rules
-- Outputs: the columns of table blast. Those of state are 0: a streaming run fills them in from stream/at.
SELECT r.app, u.unit_kind, u.unit, s.at_ms AS instant_ms, c.until_ms,
    s.tasks AS in_flight_tasks, s.tasks * (s.at_ms - r.start_ms) - s.start_ms AS in_flight_ms,
    s.owed_outputs, s.owed_bytes, s.owed_ms, s.owed_low_outputs, s.owed_low_ms,
    s.climb_outputs, s.climb_bytes, s.climb_ms, s.climb_low_outputs, s.climb_low_ms,
    s.cached_blocks, s.cached_bytes, s.cached_ms,
    0::BIGINT AS interrupted_low, coalesce(i.tasks, 0) AS interrupted_high, coalesce(i.spent_ms, 0) AS interrupted_high_ms,
    s.tasks * (s.at_ms - r.start_ms) - s.start_ms + s.owed_ms + s.climb_ms + s.cached_ms AS recompute_ms,
    s.tasks * (s.at_ms - r.start_ms) - s.start_ms + s.owed_low_ms + s.climb_low_ms + s.cached_low_ms AS recompute_low_ms,
    s.owed_outputs + s.climb_outputs + coalesce(q.pieces, 0) AS engine_redo_outputs,
    s.tasks * (s.at_ms - r.start_ms) - s.start_ms + s.owed_ms + s.climb_ms + s.cached_ms + coalesce(q.cost_ms, 0) AS engine_redo_ms,
    s.at_ms - o.made_ms AS oldest_lost_age_ms,
    coalesce(o.rounds, 0) AS rounds_live,
    ['logged', 'derived', 'inferred', 'bound'][coalesce(o.known, 0) + 1] AS known,
    s.cached_low_blocks, s.cached_low_ms, s.lost_outputs, s.lost_bytes,
    c.supremum_ms,
    u.is_coordinator,
    0::BIGINT AS state_partitions, 0::BIGINT AS state_bytes, 0::BIGINT AS state_load_ms
FROM loss.sum_at s
JOIN loss.unit u ON u.unit_no = s.unit_no
ASOF JOIN loss.curve c ON c.unit_no = s.unit_no AND c.instant_ms <= s.at_ms
LEFT JOIN loss.oldest_at o ON o.unit_no = s.unit_no AND o.at_ms = s.at_ms
LEFT JOIN loss.interrupted_at i ON i.unit_no = s.unit_no AND i.at_ms = s.at_ms
LEFT JOIN loss.requeued_at q ON q.unit_no = s.unit_no AND q.at_ms = s.at_ms
CROSS JOIN world.rules r
ORDER BY u.unit_kind, u.unit, s.at_ms;
