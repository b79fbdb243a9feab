-- Purpose: which datasets were needed at a cut, as far as the log until then and the shape of the jobs that followed tell.
-- Grain:   one row per removal and dataset that may be needed.
-- Inputs:  validate.cut, validate.made, validate.reader, need, stage, attempt, output, dataset
-- Parameters: $1 the application.
-- Outputs: removal, dataset; is_low: surely needed.
-- Algorithm: (1) attempts that had been submitted: needed while a piece has not succeeded; surely, where the edge is known to be dense by the
--   readers that had finished and a piece had still to start or ran on what was removed; surely too for a failed newest attempt, whose
--   successor must be submitted. (2) Stages that had not been submitted, unless they write a shuffle that had been made in whole before: then
--   only the loss can have brought them. What lies below a cache counts only where that cache had not been complete.
CREATE OR REPLACE TABLE validate.need AS
WITH writes AS (
    SELECT DISTINCT stage, dataset FROM attempt WHERE app = $1 AND dataset IS NOT NULL
),
possible AS (
    SELECT c.removal, n.stage, n.stage_attempt, count(*) AS outputs
    FROM validate.cut AS c
    JOIN need AS n ON n.app = $1
    JOIN dataset AS d ON d.app = $1 AND d.dataset = n.dataset AND d.kind = 'shuffle'
    JOIN output AS o ON o.app = $1 AND o.dataset = n.dataset AND o.made_seq < c.seq AND NOT o.is_rerun AND coalesce(o.bytes, 1) > 0
    GROUP BY c.removal, n.stage, n.stage_attempt
),
before AS (
    SELECT
        r.removal, n.dataset,
        CASE
            WHEN r.is_failed THEN TRUE
            ELSE r.counted > 0 AND r.fetched >= 0.98 * r.counted * coalesce(p.outputs, 0) AND (r.started < r.tasks OR r.running_there > 0)
        END AS is_low
    FROM validate.reader AS r
    JOIN need AS n ON n.app = $1 AND n.stage = r.stage AND n.stage_attempt = r.stage_attempt AND n.readers + r.tasks > 0
    LEFT JOIN possible AS p ON p.removal = r.removal AND p.stage = r.stage AND p.stage_attempt = r.stage_attempt
    WHERE r.is_newest AND NOT r.is_over AND r.succeeded < r.tasks
),
first_attempt AS (
    SELECT n.stage, min(n.stage_attempt) AS stage_attempt, min(s.submit_seq) AS submit_seq
    FROM need AS n
    LEFT JOIN stage AS s ON s.app = n.app AND s.stage = n.stage AND s.stage_attempt = n.stage_attempt
    WHERE n.app = $1
    GROUP BY n.stage
),
after AS (
    SELECT c.removal, n.dataset, TRUE AS is_low
    FROM validate.cut AS c
    JOIN first_attempt AS f ON coalesce(f.submit_seq >= c.seq, TRUE)
    JOIN need AS n ON n.app = $1 AND n.stage = f.stage AND n.stage_attempt = f.stage_attempt
    LEFT JOIN writes AS w ON w.stage = f.stage
    LEFT JOIN validate.made AS m ON m.removal = c.removal AND m.dataset = w.dataset
    LEFT JOIN validate.made AS k ON k.removal = c.removal AND k.dataset = n.through_cache
    WHERE NOT coalesce(m.is_whole, FALSE) AND NOT coalesce(k.is_whole, FALSE)
),
unread AS (
    SELECT r.removal, w.dataset, TRUE AS is_low
    FROM validate.reader AS r
    JOIN writes AS w ON w.stage = r.stage
    JOIN need AS n ON n.app = $1 AND n.dataset = w.dataset AND n.stage = r.stage
    WHERE r.is_newest AND NOT r.is_over
)
SELECT removal, dataset, bool_or(is_low) AS is_low
FROM (SELECT * FROM before UNION ALL SELECT * FROM after UNION ALL SELECT * FROM unread)
GROUP BY removal, dataset
ORDER BY removal, dataset;
