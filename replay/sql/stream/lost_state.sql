-- Purpose: the state that a recorded removal took from a batch: the pieces that must load their partition on another worker.
-- Grain:   one row per stage of the batch and partition.
-- Inputs:  stream.standing, state_partition, removal_worker
-- Parameters: $1 the application. $2 the removal. $3 the query. $4 its run. $5 the batch. $6 (ms) when the workers were gone.
-- Outputs: stage: the batch's stage that keeps the partition; partition.
-- Algorithm: the n-th state of a batch is the n-th of any other, by the order of its RDDs, as in stream.standing.
WITH taken AS (
    SELECT worker
    FROM removal_worker
    WHERE app = $1 AND removal = $2
),
gone AS (
    SELECT DISTINCT s.state, s.partition
    FROM stream.standing AS s
    JOIN taken AS t ON t.worker = s.worker
    WHERE s.query = $3 AND s.query_run = $4 AND s.from_ms <= $6 AND s.until_ms >= $6 AND s.batch < $5
),
kept AS (
    SELECT p.stage, p.partition, dense_rank() OVER (ORDER BY p.rdd) - 1 AS state
    FROM state_partition AS p
    WHERE p.app = $1 AND p.query = $3 AND p.batch = $5
)
SELECT DISTINCT k.stage, g.partition
FROM gone AS g
JOIN kept AS k ON k.state = g.state AND k.partition = g.partition
ORDER BY k.stage, g.partition;
