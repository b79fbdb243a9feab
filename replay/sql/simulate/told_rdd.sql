-- Purpose: the RDDs inside stages, each as it was described when its stage was first heard of.
-- Grain:   one row per stage and RDD.
-- Inputs:  stage_rdd, rdd, stage, job_stage, job
-- Parameters: $1 the application.
-- Outputs: stage, ordinal, and as in table rdd; seq: line of the description that counts.
WITH heard AS (
    SELECT stage, min(seq) AS seq
    FROM (
        SELECT stage, submit_seq AS seq FROM stage WHERE app = $1
        UNION ALL
        SELECT s.stage, j.submit_seq AS seq FROM job_stage s JOIN job j ON j.app = $1 AND j.job = s.job WHERE s.app = $1
    )
    WHERE seq IS NOT NULL
    GROUP BY stage
),
inside AS (
    SELECT stage, rdd, min(ordinal) AS ordinal, bool_or(is_persisted) AS is_persisted
    FROM stage_rdd
    WHERE app = $1
    GROUP BY stage, rdd
)
SELECT i.stage, i.ordinal, i.rdd, r.seq, r.name, r.scope, r.call_site, r.partitions, i.is_persisted, r.replication, r.is_barrier, r.deterministic
FROM inside i
JOIN heard h ON h.stage = i.stage
JOIN rdd r ON r.app = $1 AND r.rdd = i.rdd
QUALIFY row_number() OVER (PARTITION BY i.stage, i.rdd ORDER BY r.seq <= h.seq DESC, abs(r.seq - h.seq)) = 1
ORDER BY i.stage, i.ordinal, i.rdd;
