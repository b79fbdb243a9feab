-- Purpose: how and when the last copy of every output that was run again went
-- Grain:   one row per output that a later attempt replaced
-- Inputs:  rerun, residence, output
-- Parameters: $1 the application.
-- Outputs: output; loss_seq (line), loss_ms (ms): of its last copy; loss_reason, removal: why
CREATE OR REPLACE TABLE explain.output_end AS
WITH replaced AS (
    SELECT DISTINCT prev_output AS output FROM rerun WHERE app = $1
)
SELECT
    r.output,
    max(r.end_seq) AS loss_seq,
    max(r.to_ms) AS loss_ms,
    max_by(r.end_reason, r.end_seq) AS loss_reason,
    max_by(r.removal, r.end_seq) AS removal
FROM residence AS r
JOIN replaced USING (output)
WHERE r.app = $1
GROUP BY r.output
ORDER BY r.output;
