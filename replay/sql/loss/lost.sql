-- Purpose: while what would be lost with a unit: every residence that a piece has is on the unit's holders.
-- Grain:   one row per unit, output and interval.
-- Inputs:  loss.unit, loss.unit_holder, loss.made, loss.copy, loss.crowd_span
-- Outputs: unit_no, dataset, output; from_ms, to_ms (ms), within the unit's life; task, made_ms, cost_ms, bytes, is_cache,
--          is_rollback: as in loss.made; known: 0 to 3, the worst of output, dataset and residences;
--          is_sure: counts in low figures (a cached block whose place is inferred does not).
CREATE OR REPLACE TABLE loss.lost AS
WITH crowd_copy AS (
    SELECT h.unit_no, s.output, s.from_ms, s.to_ms, s.copies, s.known
    FROM loss.crowd_span s
    JOIN loss.copy r ON r.dataset = s.dataset AND r.partition = s.partition
        AND r.from_ms <= s.from_ms AND s.from_ms < r.to_ms
    JOIN loss.unit_holder h ON h.holder = r.holder
    WHERE s.copies > 0 AND r.is_crowded
),
crowd_lost AS (
    SELECT unit_no, output, from_ms, to_ms, known
    FROM crowd_copy
    GROUP BY unit_no, output, from_ms, to_ms, known, copies
    HAVING count(*) = copies
),
plain_lost AS (
    SELECT h.unit_no, r.output, r.from_ms, r.to_ms, r.known
    FROM loss.copy r JOIN loss.unit_holder h ON h.holder = r.holder
    WHERE NOT r.is_crowded
),
every_lost AS (
    SELECT unit_no, output, from_ms, to_ms, known FROM plain_lost
    UNION ALL
    SELECT unit_no, output, from_ms, to_ms, known FROM crowd_lost
)
SELECT l.unit_no, m.dataset, l.output,
    greatest(l.from_ms, u.from_ms) AS from_ms,
    least(l.to_ms, u.to_ms) AS to_ms,
    m.task, m.made_ms, m.cost_ms, m.bytes, m.is_cache, m.is_rollback,
    greatest(m.known, l.known) AS known,
    NOT (m.is_cache AND l.known >= 2) AS is_sure
FROM every_lost l
JOIN loss.unit u ON u.unit_no = l.unit_no
JOIN loss.made m ON m.output = l.output
WHERE greatest(l.from_ms, u.from_ms) < least(l.to_ms, u.to_ms);
