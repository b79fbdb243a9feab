-- Purpose: each worker's time, from the tables that all losses are worked out with, to compare package states with.
-- Grain:   one row per worker and interval in one state.
-- Inputs:  loss.unit, loss.unit_worker, loss.start, world.attempt, world.dataset, world.rules
-- Parameters: none; the units measured are the workers.
-- Outputs: the columns of table worker_state.
-- Algorithm: +1 and -1 where something that makes a state begins and ends; running sums; the first state that applies. The sums
--            run over all units, one after the other, since each unit's come back to 0; see loss/curve_rows.
WITH flag AS (
    SELECT w.unit_no, greatest(a.start_ms, u.from_ms) AS from_ms, least(a.end_ms, u.to_ms) AS to_ms, 1 AS busy, 0 AS owing, 0 AS caching
    FROM world.attempt a
    JOIN loss.unit_worker w ON w.worker = a.worker
    JOIN loss.unit u ON u.unit_no = w.unit_no
    UNION ALL
    SELECT s.unit_no, s.from_ms, s.to_ms, 0 AS busy, (d.kind = 'shuffle')::INTEGER AS owing, (d.kind = 'cache')::INTEGER AS caching
    FROM loss.start s JOIN world.dataset d ON d.dataset = s.dataset
    WHERE NOT s.is_low
),
change AS (
    SELECT unit_no, from_ms AS at_ms, busy, owing, caching FROM flag WHERE from_ms < to_ms
    UNION ALL
    SELECT unit_no, to_ms AS at_ms, -busy, -owing, -caching FROM flag WHERE from_ms < to_ms
    UNION ALL
    SELECT unit_no, from_ms AS at_ms, 0, 0, 0 FROM loss.unit
),
moment AS (
    SELECT unit_no, at_ms, sum(busy)::INTEGER AS busy, sum(owing)::INTEGER AS owing, sum(caching)::INTEGER AS caching
    FROM change
    GROUP BY unit_no, at_ms
),
sorted AS (
    SELECT unit_no, at_ms, busy, owing, caching FROM moment ORDER BY unit_no, at_ms
),
running AS (
    SELECT unit_no, at_ms, CASE
            WHEN sum(busy) OVER (ROWS UNBOUNDED PRECEDING) > 0 THEN 'busy'
            WHEN sum(owing) OVER (ROWS UNBOUNDED PRECEDING) > 0 THEN 'idle_owing'
            WHEN sum(caching) OVER (ROWS UNBOUNDED PRECEDING) > 0 THEN 'idle_caching'
            ELSE 'free'
        END AS state
    FROM sorted
),
changed AS (
    SELECT unit_no, at_ms, state
    FROM running
    QUALIFY state IS DISTINCT FROM lag(state) OVER () OR unit_no IS DISTINCT FROM lag(unit_no) OVER ()
),
interval AS (
    SELECT c.unit_no, c.at_ms AS from_ms, lead(c.at_ms) OVER (PARTITION BY c.unit_no ORDER BY c.at_ms) AS next_ms, c.state
    FROM changed c
)
SELECT r.app, u.unit AS worker, i.from_ms, least(coalesce(i.next_ms, u.to_ms), u.to_ms) AS to_ms, i.state
FROM interval i
JOIN loss.unit u ON u.unit_no = i.unit_no
CROSS JOIN world.rules r
WHERE i.from_ms < u.to_ms
ORDER BY i.unit_no, i.from_ms;
