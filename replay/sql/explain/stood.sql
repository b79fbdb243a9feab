-- Purpose: what stood on what a removal took, and what of it was still wanted.
-- Grain:   one row per removal and residence that it ended.
-- Inputs:  residence, output, dataset, need, explain.again
-- Parameters: $1 the application.
-- Outputs: removal, output, dataset, partition, is_cache; bytes, cost_ms (slot ms); made_ms, lost_ms (ms);
--   is_lost: no copy stood elsewhere; is_needed: lost, and a reader that did not merely repeat work had still to end, or it was run again.
CREATE OR REPLACE TABLE explain.stood AS
WITH ended AS MATERIALIZED (
    SELECT r.removal, r.output, r.to_ms AS lost_ms, r.end_seq, o.dataset, o.partition, o.bytes, o.cost_ms, o.made_ms, d.kind = 'cache' AS is_cache
    FROM residence AS r
    JOIN output AS o ON o.app = r.app AND o.output = r.output
    JOIN dataset AS d ON d.app = r.app AND d.dataset = o.dataset
    WHERE r.app = $1 AND r.removal IS NOT NULL
),
elsewhere AS (
    SELECT DISTINCT e.removal, e.output
    FROM ended AS e
    JOIN residence AS r ON r.app = $1 AND r.output = e.output AND r.from_ms <= e.lost_ms AND coalesce(r.end_seq > e.end_seq, TRUE)
    WHERE NOT (r.removal IS NOT NULL AND r.removal = e.removal)
),
wanted AS (
    SELECT e.removal, e.output
    FROM ended AS e
    JOIN need AS n ON n.app = $1 AND n.dataset = e.dataset AND NOT n.is_rerun AND n.until_ms > e.lost_ms
    UNION
    SELECT a.removal, a.prev_output
    FROM explain.again AS a
    WHERE a.why IN ('owed', 'climb') AND a.prev_output IS NOT NULL AND a.removal IS NOT NULL
)
SELECT
    e.removal, e.output, e.dataset, e.partition, e.is_cache, e.bytes, e.cost_ms, e.made_ms, e.lost_ms,
    x.output IS NULL AS is_lost,
    x.output IS NULL AND w.output IS NOT NULL AS is_needed
FROM ended AS e
LEFT JOIN elsewhere AS x ON x.removal = e.removal AND x.output = e.output
LEFT JOIN wanted AS w ON w.removal = e.removal AND w.output = e.output
ORDER BY e.removal, e.output;
