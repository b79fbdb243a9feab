-- Purpose: whose outputs carry most risk: what to make durable first.
-- Grain:   one row per dataset of which an output was made.
-- Inputs:  loss.unit, loss.counted, loss.segment, world.output, world.need, world.dataset, world.rules
-- Outputs: the columns of table exposure.
-- Algorithm: an output waits from when it was made until its last reader is done; at risk is its cost while a removal of a
--            unit that is measured would lose it and have it made again.
WITH reader AS (
    SELECT dataset, max(until_ms) AS until_ms, count(*) AS readers FROM world.need GROUP BY dataset
),
waited AS (
    SELECT m.dataset, count(*) AS outputs, coalesce(sum(m.bytes), 0) AS bytes, sum(m.cost_ms) AS cost_ms, min(m.made_ms) AS first_made_ms,
        any_value(r.until_ms) AS last_read_ms,
        sum(m.cost_ms::HUGEINT * greatest(r.until_ms - m.made_ms, 0))::DOUBLE AS wait
    FROM world.output m LEFT JOIN reader r ON r.dataset = m.dataset
    GROUP BY m.dataset
),
risk AS (
    SELECT c.dataset, sum(c.cost_ms::HUGEINT * (least(c.to_ms, s.to_ms) - greatest(c.from_ms, s.from_ms)))::DOUBLE AS risk
    FROM loss.counted c
    JOIN (SELECT unit_no FROM loss.unit WHERE NOT is_coordinator) u ON u.unit_no = c.unit_no
    JOIN loss.segment s ON s.unit_no = c.unit_no AND s.dataset = c.dataset AND s.beside = c.beside
        AND s.from_ms < c.to_ms AND c.from_ms < s.to_ms
    WHERE s.high > 0
    GROUP BY c.dataset
)
SELECT w.dataset, d.kind, d.name, d.first_stage, w.outputs, w.bytes::BIGINT AS bytes, w.cost_ms::BIGINT AS cost_ms,
    w.first_made_ms, w.last_read_ms,
    w.wait / nullif(w.cost_ms, 0) AS mean_wait_ms,
    coalesce(w.wait, 0) / 3600000 AS waited_slot_ms_hours,
    coalesce(r.risk, 0) / 3600000 AS run_recompute_ms
FROM waited w
JOIN world.dataset d ON d.dataset = w.dataset
LEFT JOIN risk r ON r.dataset = w.dataset
ORDER BY run_recompute_ms DESC, waited_slot_ms_hours DESC, w.dataset;
