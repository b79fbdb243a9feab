-- Purpose: what stands of a crowded piece, over time.
-- Grain:   one row per such piece and span in which neither its outputs nor its residences change.
-- Inputs:  loss.crowd_copy, world.rules
-- Empty if: loss.crowd_copy
-- Outputs: dataset, partition; from_ms, to_ms (ms); nth, output: the one that counts, the last made of those that are alive,
--          or, in a hole, of those made before; copies: residences alive, 0 is a hole; place: how the worst known of those
--          residences is known, 0 to 3, in a hole of all that the output ever had; and of loss.copy: task, made_ms, cost_ms,
--          bytes, known, is_cache, is_rollback.
CREATE OR REPLACE TABLE loss.crowd_span AS
WITH out AS MATERIALIZED (
    SELECT output, any_value(dataset) AS dataset, any_value(partition) AS partition, any_value(nth) AS nth, any_value(task) AS task,
        any_value(made_ms) AS made_ms, any_value(cost_ms) AS cost_ms, any_value(bytes) AS bytes, any_value(known) AS known,
        any_value(is_cache) AS is_cache, any_value(is_rollback) AS is_rollback, max(place) AS place
    FROM loss.crowd_copy
    GROUP BY output
),
moment AS (
    SELECT dataset, partition, made_ms AS at_ms FROM out
    UNION
    SELECT dataset, partition, from_ms AS at_ms FROM loss.crowd_copy
    UNION
    SELECT dataset, partition, to_ms AS at_ms FROM loss.crowd_copy
),
span AS MATERIALIZED (
    SELECT m.dataset, m.partition, m.at_ms AS from_ms,
        lead(m.at_ms, 1, u.end_ms) OVER (PARTITION BY m.dataset, m.partition ORDER BY m.at_ms) AS to_ms
    FROM moment m CROSS JOIN world.rules u
),
alive AS MATERIALIZED (
    SELECT s.dataset, s.partition, s.from_ms, count(*) AS copies, max(r.nth) AS nth, max(r.place) AS place
    FROM span s JOIN loss.crowd_copy r ON r.dataset = s.dataset AND r.partition = s.partition
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
)
SELECT s.dataset, s.partition, s.from_ms, s.to_ms, o.nth, o.output, coalesce(a.copies, 0) AS copies, coalesce(a.place, o.place) AS place,
    o.task, o.made_ms, o.cost_ms, o.bytes, o.known, o.is_cache, o.is_rollback
FROM span s
LEFT JOIN alive a ON a.dataset = s.dataset AND a.partition = s.partition AND a.from_ms = s.from_ms
LEFT JOIN dead d ON d.dataset = s.dataset AND d.partition = s.partition AND d.from_ms = s.from_ms
JOIN out o ON o.dataset = s.dataset AND o.partition = s.partition AND o.nth = coalesce(a.nth, d.nth)
WHERE s.from_ms < s.to_ms;
