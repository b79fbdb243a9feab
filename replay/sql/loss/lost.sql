-- Purpose: while what would be lost with a unit: every residence that a piece has is on the unit's holders.
-- Grain:   one row per unit, output and interval.
-- Inputs:  loss.unit, loss.unit_holder, loss.copy, loss.crowd, loss.crowd_copy, loss.crowd_span
-- Outputs: unit_no, dataset, output; from_ms, to_ms (ms), within the unit's life; is_final: it lasts as long as the unit;
--          task, made_ms, cost_ms, bytes, is_cache, is_rollback: as in loss.copy; known: 0 to 3, the worst of output,
--          dataset and residences; is_sure: counts in low figures (a cached block whose place is inferred does not).
CREATE OR REPLACE TABLE loss.lost AS
WITH crowd_held AS (
    SELECT h.unit_no, s.dataset, s.partition, s.from_ms, count(*) AS copies
    FROM loss.crowd_span s
    JOIN loss.crowd_copy r ON r.dataset = s.dataset AND r.partition = s.partition
        AND r.from_ms <= s.from_ms AND s.from_ms < r.to_ms
    JOIN loss.unit_holder h ON h.holder = r.holder
    GROUP BY h.unit_no, s.dataset, s.partition, s.from_ms
),
every_lost AS (
    SELECT h.unit_no, r.dataset, r.output, r.from_ms, r.to_ms, r.place, r.task, r.made_ms, r.cost_ms, r.bytes, r.known, r.is_cache, r.is_rollback
    FROM (
        SELECT dataset, output, holder, from_ms, to_ms, place, task, made_ms, cost_ms, bytes, known, is_cache, is_rollback
        FROM loss.copy c ANTI JOIN loss.crowd w ON w.dataset = c.dataset AND w.partition = c.partition
    ) r
    JOIN loss.unit_holder h ON h.holder = r.holder
    UNION ALL
    SELECT h.unit_no, s.dataset, s.output, s.from_ms, s.to_ms, s.place, s.task, s.made_ms, s.cost_ms, s.bytes, s.known, s.is_cache, s.is_rollback
    FROM crowd_held h
    JOIN loss.crowd_span s ON s.dataset = h.dataset AND s.partition = h.partition AND s.from_ms = h.from_ms AND s.copies = h.copies
)
SELECT l.unit_no, l.dataset, l.output,
    greatest(l.from_ms, u.from_ms) AS from_ms,
    least(l.to_ms, u.to_ms) AS to_ms,
    l.to_ms >= u.to_ms AS is_final,
    l.task, l.made_ms, l.cost_ms, l.bytes, l.is_cache, l.is_rollback,
    greatest(l.known, l.place) AS known,
    NOT (l.is_cache AND l.place >= 2) AS is_sure
FROM every_lost l
JOIN loss.unit u ON u.unit_no = l.unit_no
WHERE greatest(l.from_ms, u.from_ms) < least(l.to_ms, u.to_ms);
