-- Purpose: what stands of a piece that was made more than once or stood in more than one place, over time.
-- Grain:   one row per such piece and span in which neither its outputs nor its residences change.
-- Inputs:  loss.made, loss.copy, world.rules
-- Outputs: dataset, partition; from_ms, to_ms (ms); output: the one that counts, the last made of those that are
--          alive, or, in a hole, of those made before; copies: residences alive, 0 is a hole; place: how the
--          worst known of those residences is known, 0 to 3, in a hole of all that the output ever had.
CREATE OR REPLACE TABLE loss.crowd_span AS
WITH out AS (
    SELECT output, dataset, partition, nth, made_ms FROM loss.made WHERE is_crowded
),
res AS (
    SELECT output, dataset, partition, nth, from_ms, to_ms, place FROM loss.copy WHERE is_crowded
),
moment AS (
    SELECT dataset, partition, made_ms AS at_ms FROM out
    UNION
    SELECT dataset, partition, from_ms AS at_ms FROM res
    UNION
    SELECT dataset, partition, to_ms AS at_ms FROM res
),
span AS (
    SELECT m.dataset, m.partition, m.at_ms AS from_ms,
        lead(m.at_ms, 1, u.end_ms) OVER (PARTITION BY m.dataset, m.partition ORDER BY m.at_ms) AS to_ms
    FROM moment m CROSS JOIN world.rules u
),
alive AS (
    SELECT s.dataset, s.partition, s.from_ms, count(*) AS copies, max(r.nth) AS nth, max(r.place) AS place
    FROM span s JOIN res r ON r.dataset = s.dataset AND r.partition = s.partition
        AND r.from_ms <= s.from_ms AND s.from_ms < r.to_ms
    GROUP BY s.dataset, s.partition, s.from_ms
),
empty AS (
    SELECT s.dataset, s.partition, s.from_ms
    FROM span s
    ANTI JOIN alive a ON a.dataset = s.dataset AND a.partition = s.partition AND a.from_ms = s.from_ms
),
dead AS (
    SELECT s.dataset, s.partition, s.from_ms, max(o.nth) AS nth
    FROM empty s
    JOIN out o ON o.dataset = s.dataset AND o.partition = s.partition AND o.made_ms <= s.from_ms
    GROUP BY s.dataset, s.partition, s.from_ms
),
ever AS (
    SELECT output, max(place) AS place FROM res GROUP BY output
)
SELECT s.dataset, s.partition, s.from_ms, s.to_ms, o.output,
    coalesce(a.copies, 0) AS copies,
    coalesce(a.place, e.place, 0)::TINYINT AS place
FROM span s
LEFT JOIN alive a ON a.dataset = s.dataset AND a.partition = s.partition AND a.from_ms = s.from_ms
LEFT JOIN dead d ON d.dataset = s.dataset AND d.partition = s.partition AND d.from_ms = s.from_ms
JOIN out o ON o.dataset = s.dataset AND o.partition = s.partition AND o.nth = coalesce(a.nth, d.nth)
LEFT JOIN ever e ON e.output = o.output
WHERE s.from_ms < s.to_ms;
