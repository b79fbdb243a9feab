-- Purpose: what the curves are worked out from (package replay/curve).
-- Grain:   one row per jump, in no order.
-- Inputs:  loss.change
-- Outputs: as in loss.change, none of them null.
SELECT unit_no::BIGINT AS unit_no, at_ms::BIGINT AS at_ms, coalesce(tasks, 0)::BIGINT AS tasks, coalesce(start_ms, 0)::BIGINT AS start_ms,
    coalesce(owed_ms, 0)::BIGINT AS owed_ms, coalesce(climb_ms, 0)::BIGINT AS climb_ms, coalesce(cached_ms, 0)::BIGINT AS cached_ms,
    coalesce(low_ms, 0)::BIGINT AS low_ms
FROM loss.change;
