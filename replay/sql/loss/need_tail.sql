-- Purpose: while a dataset is surely needed because a reader runs on the unit itself, after the last reader was launched.
-- Grain:   one row per unit, dataset and start of such readers; intervals of a key may overlap.
-- Inputs:  loss.unit, loss.unit_worker, world.need, world.attempt, world.worker, world.rules
-- Outputs: unit_no, dataset; from_ms, to_ms (ms). A reader that another worker of its machine can take up is none: it keeps the stage
--          attempt's old list of places, and reads what the lost worker left on the machine's disk (Spark: spark.shuffle.readHostLocalDisk).
CREATE OR REPLACE TABLE loss.need_tail AS
WITH dense AS (
    SELECT dataset, stage, stage_attempt, from_ms, until_ms,
        greatest(submit_ms, last_start_ms, from_ms) AS low_until_ms
    FROM world.need
    WHERE is_dense
),
life AS (
    SELECT w.worker, w.machine, coalesce(w.added_ms, r.start_ms) AS from_ms, least(coalesce(w.removed_ms, r.end_ms), r.end_ms) AS to_ms
    FROM world.worker w CROSS JOIN world.rules r
    WHERE NOT w.is_coordinator
),
edge AS (
    SELECT machine, from_ms AS ms, 1 AS more FROM life WHERE from_ms < to_ms
    UNION ALL
    SELECT machine, to_ms, -1 FROM life WHERE from_ms < to_ms
),
crowd AS (
    SELECT machine, ms AS from_ms, lead(ms) OVER w AS to_ms, sum(sum(more)) OVER w AS workers
    FROM edge
    WHERE machine IS NOT NULL
    GROUP BY machine, ms
    WINDOW w AS (PARTITION BY machine ORDER BY ms)
),
alone AS (
    SELECT l.worker, c.from_ms, c.to_ms
    FROM life l
    JOIN crowd c ON c.machine = l.machine AND l.from_ms <= c.from_ms AND c.from_ms < l.to_ms
    WHERE c.workers = 1
    UNION ALL
    SELECT worker, from_ms, to_ms FROM life WHERE machine IS NULL
),
hopeless AS (
    SELECT w.unit_no, w.worker, a.from_ms, a.to_ms
    FROM loss.unit_worker w
    JOIN loss.unit u ON u.unit_no = w.unit_no
    JOIN alone a ON a.worker = w.worker
    WHERE u.unit_kind = 'worker'
    UNION ALL
    SELECT w.unit_no, w.worker, r.start_ms, r.end_ms
    FROM loss.unit_worker w
    JOIN loss.unit u ON u.unit_no = w.unit_no
    CROSS JOIN world.rules r
    WHERE u.unit_kind <> 'worker'
),
reader AS (
    SELECT w.unit_no, n.dataset, greatest(a.start_ms, n.low_until_ms, w.from_ms) AS from_ms, least(a.end_ms, n.until_ms, w.to_ms) AS to_ms
    FROM world.attempt a
    JOIN dense n ON n.stage = a.stage AND n.stage_attempt = a.stage_attempt AND (n.low_until_ms IS NULL OR a.end_ms > n.low_until_ms)
    JOIN hopeless w ON w.worker = a.worker
)
SELECT unit_no, dataset, from_ms, max(to_ms) AS to_ms
FROM reader
WHERE from_ms < to_ms
GROUP BY unit_no, dataset, from_ms;
