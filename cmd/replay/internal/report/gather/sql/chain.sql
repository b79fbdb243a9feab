-- Purpose: the way back through the rounds that a removal's re-runs took, with when they ran.
-- Grain:   one row per removal and dataset that ran again.
-- Inputs:  rerun_chain, rerun_cause, dataset, need, removal, input
-- Parameters: $1 the application.
-- Outputs: removal, dataset, name; level: 0 = what readers waited for; for_datasets: of those that ran again, what is made
--          from it, as text; is_owed: readers that had still to end waited for it; readers: their stages, as text; pieces: that ran again, of partitions (null: not known); first_made_ms, last_made_ms (ms): when
--          they had been reported finished; again_from_ms, again_to_ms (ms): the second runs; again_ms (slot ms): their time; stages: in which
--          they ran, as text
WITH link AS (
    SELECT
        removal, dataset, any_value(name) AS name, min(level) AS level,
        bool_or(for_dataset IS NULL) AS is_owed,
        any_value(pieces) AS pieces, any_value(again_ms) AS again_ms, any_value(first_made_ms) AS first_made_ms, any_value(last_made_ms) AS last_made_ms
    FROM rerun_chain
    WHERE app = $1
    GROUP BY removal, dataset
),
ran AS (
    SELECT
        removal, shuffle AS dataset, min(rerun_start_ms) AS again_from_ms, max(coalesce(rerun_end_ms, rerun_start_ms)) AS again_to_ms,
        string_agg(DISTINCT rerun_stage::VARCHAR, ', ' ORDER BY rerun_stage::VARCHAR) AS stages
    FROM rerun_cause
    WHERE app = $1 AND why IN ('owed', 'climb') AND removal IS NOT NULL
    GROUP BY removal, shuffle
),
reader AS (
    SELECT l.removal, l.dataset, string_agg(DISTINCT n.stage::VARCHAR, ', ' ORDER BY n.stage::VARCHAR) AS stages
    FROM link AS l
    JOIN removal AS m ON m.app = $1 AND m.removal = l.removal
    JOIN need AS n ON n.app = $1 AND n.dataset = l.dataset AND NOT n.is_rerun AND n.until_ms > coalesce(m.gone_low_ms, m.detected_ms)
    WHERE l.is_owed
    GROUP BY l.removal, l.dataset
),
feed AS (
    SELECT l.removal, l.dataset, string_agg(DISTINCT i.dataset::VARCHAR, ', ' ORDER BY i.dataset::VARCHAR) AS for_datasets
    FROM link AS l
    JOIN input AS i ON i.app = $1 AND i.input_dataset = l.dataset
    JOIN link AS d ON d.removal = l.removal AND d.dataset = i.dataset
    GROUP BY l.removal, l.dataset
)
SELECT
    l.removal, l.dataset, l.name, l.level, coalesce(f.for_datasets, '') AS for_datasets, l.is_owed, coalesce(q.stages, '') AS readers, l.pieces, d.partitions,
    l.first_made_ms, l.last_made_ms, coalesce(r.again_from_ms, l.last_made_ms) AS again_from_ms, coalesce(r.again_to_ms, l.last_made_ms) AS again_to_ms,
    l.again_ms, coalesce(r.stages, '') AS stages
FROM link AS l
JOIN dataset AS d ON d.app = $1 AND d.dataset = l.dataset
LEFT JOIN ran AS r ON r.removal = l.removal AND r.dataset = l.dataset
LEFT JOIN reader AS q ON q.removal = l.removal AND q.dataset = l.dataset
LEFT JOIN feed AS f ON f.removal = l.removal AND f.dataset = l.dataset
ORDER BY l.removal, l.last_made_ms DESC, l.dataset DESC;
