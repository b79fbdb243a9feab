-- Purpose: needed outputs that were never made again, by what became of the job that was to read them.
-- Grain:   one row per removal with such outputs.
-- Inputs:  need, job, explain.stood, explain.again
-- Parameters: $1 the application.
-- Outputs: removal; cut_off: a reader's job was running when the application ended (the engine then fails it with words of its own);
--   failed: none was, and one failed for another reason.
CREATE OR REPLACE TABLE explain.left_over AS
WITH kept AS (
    SELECT s.removal, s.output, s.dataset, s.lost_ms
    FROM explain.stood AS s
    ANTI JOIN explain.again AS g ON g.removal = s.removal AND g.prev_output = s.output
    WHERE s.is_needed AND NOT s.is_cache
),
readers AS (
    SELECT
        k.removal, k.output,
        bool_or(j.outcome IS NULL OR coalesce(contains(j.failure, 'SparkContext was shut down'), FALSE)) AS is_cut_off,
        bool_or(coalesce(j.outcome, '') = 'failed') AS is_failed
    FROM kept AS k
    JOIN need AS n ON n.app = $1 AND n.dataset = k.dataset AND NOT n.is_rerun AND n.until_ms > k.lost_ms
    JOIN job AS j ON j.app = $1 AND j.job = n.job
    GROUP BY k.removal, k.output
)
SELECT removal, count(*) FILTER (is_cut_off) AS cut_off, count(*) FILTER (is_failed AND NOT is_cut_off) AS failed
FROM readers
GROUP BY removal
ORDER BY removal;
