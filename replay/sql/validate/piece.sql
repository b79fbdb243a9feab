-- Purpose: every piece that had been made before a cut, with its newest output then and whether a copy stood, and stood only on what was removed.
-- Grain:   one row per removal and piece.
-- Inputs:  validate.cut, output, residence, holder, removal_worker, removal, dataset
-- Parameters: $1 the application.
-- Outputs: removal, dataset, partition, output (the newest before the cut), is_cache, cost_ms (slot ms);
--   is_hole: no copy stood; is_lost: copies stood, all of them on what was removed.
CREATE OR REPLACE TABLE validate.piece AS
WITH gone AS (
    SELECT w.removal, h.holder
    FROM removal_worker AS w
    JOIN holder AS h ON h.app = w.app AND h.worker = w.worker AND h.dies_with = 'worker'
    WHERE w.app = $1
    UNION
    SELECT m.removal, h.holder
    FROM removal AS m
    JOIN holder AS h ON h.app = m.app AND h.machine = m.unit AND h.dies_with = 'machine'
    WHERE m.app = $1 AND m.unit_kind = 'machine'
),
newest AS (
    SELECT c.removal, c.seq, o.dataset, o.partition, max_by(o.output, o.made_seq) AS output, max_by(o.cost_ms, o.made_seq) AS cost_ms
    FROM validate.cut AS c
    JOIN output AS o ON o.app = $1 AND o.made_seq < c.seq
    GROUP BY c.removal, c.seq, o.dataset, o.partition
),
standing AS (
    SELECT n.removal, n.output, count(*) AS copies, count(g.holder) AS copies_gone
    FROM newest AS n
    JOIN residence AS r ON r.app = $1 AND r.output = n.output AND r.from_seq < n.seq AND coalesce(r.end_seq >= n.seq, TRUE)
    LEFT JOIN gone AS g ON g.removal = n.removal AND g.holder = r.holder
    GROUP BY n.removal, n.output
)
SELECT
    n.removal, n.dataset, n.partition, n.output, d.kind = 'cache' AS is_cache, n.cost_ms,
    s.output IS NULL AS is_hole,
    s.output IS NOT NULL AND s.copies = s.copies_gone AS is_lost
FROM newest AS n
JOIN dataset AS d ON d.app = $1 AND d.dataset = n.dataset
LEFT JOIN standing AS s ON s.removal = n.removal AND s.output = n.output
ORDER BY n.removal, n.dataset, n.partition;
