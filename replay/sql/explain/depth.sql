-- Purpose: how many rounds a removal's re-runs reach back.
-- Grain:   one row per removal with owed or climbed re-runs.
-- Inputs:  explain.again, input, output
-- Parameters: $1 the application.
-- Outputs: removal; climb_depth: rounds between the last one and the earliest one that ran again, 0 when only one round did.
-- Algorithm: the longest path along table input within the datasets that ran again; rounds are few.
CREATE OR REPLACE TABLE explain.depth AS
WITH RECURSIVE redone AS (
    SELECT DISTINCT a.removal, o.dataset
    FROM explain.again AS a
    JOIN output AS o ON o.app = $1 AND o.output = a.prev_output
    WHERE a.why IN ('owed', 'climb') AND a.removal IS NOT NULL
),
reach AS (
    SELECT removal, dataset, 0 AS depth FROM redone
    UNION
    SELECT r.removal, i.input_dataset, r.depth + 1
    FROM reach AS r
    JOIN input AS i ON i.app = $1 AND i.dataset = r.dataset
    JOIN redone AS d ON d.removal = r.removal AND d.dataset = i.input_dataset
)
SELECT removal, max(depth)::BIGINT AS climb_depth
FROM reach
GROUP BY removal
ORDER BY removal;
