-- Purpose: the failed fetches that tell of each recorded removal.
-- Grain:   one row per removal that one tells of.
-- Inputs:  removal, task, fetch_failure, explain.blame
-- Parameters: $1 the application.
-- Outputs: removal; fetch_failures; first_fetch_ms (ms); stale_readers: launched after the first line about the loss.
CREATE OR REPLACE TABLE explain.fetched AS
SELECT
    b.removal, count(*) AS fetch_failures, min(f.at_ms) AS first_fetch_ms,
    count(*) FILTER (t.start_seq > m.first_seq) AS stale_readers
FROM explain.blame AS b
JOIN removal AS m ON m.app = $1 AND m.removal = b.removal
JOIN fetch_failure AS f ON f.app = $1 AND f.seq = b.seq
JOIN task AS t ON t.app = $1 AND t.task = b.task
WHERE b.removal IS NOT NULL
GROUP BY b.removal;
