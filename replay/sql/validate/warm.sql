-- Purpose: the time of every attempt with start-up taken out.
-- Grain:   one row per attempt that ended in success.
-- Inputs:  attempt, worker
-- Parameters: $1 the application.
-- Outputs: task; run_ms (slot ms): as recorded; warm_ms (slot ms): less what start-up took in the mean, not below 0; startup: process (the
--   first task on each slot of a worker), stage (the first task on each slot of a worker that made a dataset, or of a stage without, whatever the attempt), or null: neither.
-- Algorithm: start-up is what such tasks took longer than the others of their stage, in the mean; where a stage has fewer than three of either,
--   what it was over all stages, weighted by how many there were. First attempts of stages alone are compared: later ones run a choice of the
--   pieces. A process whose start-up cannot be told so counts with that of a stage. A fresh process loads classes; a new stage is unpacked and
--   compiled, and all slots ask for it at once.
CREATE OR REPLACE TABLE validate.warm AS
WITH placed AS (
    SELECT
        a.task, a.stage, a.stage_attempt, a.end_ms - a.start_ms AS run_ms,
        CASE
            WHEN row_number() OVER (PARTITION BY a.worker ORDER BY a.start_ms, a.task) <= coalesce(w.slots, 1) THEN 'process'
            WHEN row_number() OVER (PARTITION BY a.worker, a.dataset, CASE WHEN a.dataset IS NULL THEN a.stage END ORDER BY a.start_ms, a.task) <= coalesce(w.slots, 1) THEN 'stage'
        END AS startup
    FROM attempt AS a
    JOIN worker AS w ON w.app = a.app AND w.worker = a.worker
    WHERE a.app = $1 AND a.status = 'success'
),
later AS (
    SELECT stage, avg(run_ms) AS run_ms, count(*) AS tasks FROM placed WHERE startup IS NULL AND stage_attempt = 0 GROUP BY stage
),
early AS (
    SELECT stage, startup, avg(run_ms) AS run_ms, count(*) AS tasks FROM placed WHERE startup IS NOT NULL AND stage_attempt = 0 GROUP BY stage, startup
),
longer AS (
    SELECT e.stage, e.startup, e.tasks, greatest(e.run_ms - l.run_ms, 0) AS extra_ms
    FROM early AS e
    JOIN later AS l ON l.stage = e.stage
    WHERE e.tasks >= 3 AND l.tasks >= 3
),
pooled AS (
    SELECT startup, sum(extra_ms * tasks) / sum(tasks) AS extra_ms FROM longer GROUP BY startup
)
SELECT
    p.task, p.run_ms, p.startup,
    greatest(p.run_ms - coalesce(x.extra_ms, y.extra_ms, CASE WHEN p.startup = 'process' THEN z.extra_ms END, 0), 0)::BIGINT AS warm_ms
FROM placed AS p
LEFT JOIN longer AS x ON x.stage = p.stage AND x.startup = p.startup
LEFT JOIN pooled AS y ON y.startup = p.startup
LEFT JOIN pooled AS z ON z.startup = 'stage'
ORDER BY p.task;
