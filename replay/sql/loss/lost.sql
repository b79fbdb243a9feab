-- Purpose: while what would be lost with a unit: every residence that a piece has is on the unit's holders.
-- Grain:   one row per unit, output and interval.
-- Inputs:  loss.unit, loss.unit_holder, loss.copy, loss.crowd_span
-- Outputs: unit_no, dataset, output; from_ms, to_ms (ms), within the unit's life; is_final: it lasts as long as the unit;
--          task, made_ms, cost_ms, bytes, is_cache, is_rollback: as in loss.made; known: 0 to 3, the worst of output,
--          dataset and residences; is_sure: counts in low figures (a cached block whose place is inferred does not).
CREATE OR REPLACE TABLE loss.lost AS
WITH crowd_copy AS (
    SELECT h.unit_no, s.output, s.from_ms, s.to_ms, s.copies, s.place
    FROM loss.crowd_span s
    JOIN loss.copy r ON r.dataset = s.dataset AND r.partition = s.partition
        AND r.from_ms <= s.from_ms AND s.from_ms < r.to_ms
    JOIN loss.unit_holder h ON h.holder = r.holder
    WHERE s.copies > 0 AND r.is_crowded
),
crowd_lost AS (
    SELECT unit_no, output, from_ms, to_ms, place
    FROM crowd_copy
    GROUP BY unit_no, output, from_ms, to_ms, place, copies
    HAVING count(*) = copies
),
every_lost AS (
    SELECT h.unit_no, r.dataset, r.output, r.from_ms, r.to_ms, r.place, r.task, r.made_ms, r.cost_ms, r.bytes, r.known, r.is_cache, r.is_rollback
    FROM loss.copy r JOIN loss.unit_holder h ON h.holder = r.holder
    WHERE NOT r.is_crowded
    UNION ALL
    SELECT l.unit_no, m.dataset, l.output, l.from_ms, l.to_ms, l.place, m.task, m.made_ms, m.cost_ms, m.bytes, m.known, m.is_cache, m.is_rollback
    FROM crowd_lost l JOIN loss.made m ON m.output = l.output
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
