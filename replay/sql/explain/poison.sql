-- Purpose: pieces that were running on one worker after another when these died: the work may have killed them.
-- Grain:   one row per removal, of the piece that most workers died with.
-- Inputs:  removal, explain.cut_off, explain.piece_attempt
-- Parameters: $1 the application.
-- Outputs: removal; stage, partition of the piece; workers: that died by themselves (exit or unknown) while they ran it, two at least.
CREATE OR REPLACE TABLE explain.poison AS
WITH died AS (
    SELECT c.removal, p.piece_kind, p.piece_group, p.partition, p.stage, p.worker
    FROM explain.cut_off AS c
    JOIN removal AS m ON m.app = $1 AND m.removal = c.removal AND m.kind IN ('exit', 'unknown') AND m.unit_kind = 'worker'
    JOIN explain.piece_attempt AS p ON p.task = c.task
    WHERE NOT p.is_speculative
),
counted AS (
    SELECT piece_kind, piece_group, partition, count(DISTINCT worker) AS workers
    FROM died
    GROUP BY piece_kind, piece_group, partition
)
SELECT
    d.removal,
    max_by(d.stage, (n.workers, -d.partition)) AS stage, max_by(d.partition, (n.workers, -d.partition)) AS partition, max(n.workers) AS workers
FROM died AS d
JOIN counted AS n USING (piece_kind, piece_group, partition)
WHERE n.workers >= 2
GROUP BY d.removal
ORDER BY d.removal;
