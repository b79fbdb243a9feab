-- Purpose: what making lost cached blocks again took inside the tasks that read them: an estimate.
-- Grain:   one row per removal that took cached blocks which somebody read later.
-- Inputs:  need, attempt, explain.stood, explain.again
-- Parameters: $1 the application.
-- Outputs: removal; readers: tasks that were the first to read such a piece after the loss, made no second run that counts as such, and ran longer than
--   the median of their stage's tasks whose blocks were there; extra_ms (slot ms): by how much, together. A block is taken to be read by the task of
--   the same piece; start-up on a fresh worker is in it.
CREATE OR REPLACE TABLE explain.hidden AS
WITH lost AS (
    SELECT DISTINCT removal, dataset, partition, lost_ms FROM explain.stood WHERE is_cache AND is_lost
),
reading AS (
    SELECT DISTINCT n.dataset, a.task, a.stage, a.partition, a.start_ms, a.end_ms - a.start_ms AS took_ms
    FROM (SELECT DISTINCT dataset FROM lost) AS l
    JOIN need AS n ON n.app = $1 AND n.dataset = l.dataset
    JOIN attempt AS a ON a.app = $1 AND a.stage = n.stage AND a.stage_attempt = n.stage_attempt AND a.status = 'success'
    ANTI JOIN (SELECT task FROM explain.again WHERE redo IS NOT NULL) AS g ON g.task = a.task
),
first AS (
    SELECT l.removal, r.dataset, r.partition, min_by(r.task, (r.start_ms, r.task)) AS task
    FROM lost AS l
    JOIN reading AS r ON r.dataset = l.dataset AND r.partition = l.partition AND r.start_ms >= l.lost_ms
    GROUP BY l.removal, r.dataset, r.partition
),
others AS (
    SELECT r.stage, r.dataset, median(r.took_ms) AS usual_ms
    FROM reading AS r
    ANTI JOIN first AS f ON f.task = r.task AND f.dataset = r.dataset
    GROUP BY r.stage, r.dataset
),
longer AS (
    SELECT f.removal, r.task, max(r.took_ms - o.usual_ms) AS extra_ms
    FROM first AS f
    JOIN reading AS r ON r.task = f.task AND r.dataset = f.dataset
    JOIN others AS o ON o.stage = r.stage AND o.dataset = r.dataset
    WHERE r.took_ms > o.usual_ms
    GROUP BY f.removal, r.task
)
SELECT removal, count(*) AS readers, round(sum(extra_ms))::BIGINT AS extra_ms
FROM longer
GROUP BY removal
ORDER BY removal;
