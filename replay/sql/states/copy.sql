-- Purpose: where the pieces of some datasets stand, and while they do.
-- Grain:   one row per residence.
-- Inputs:  residence, output
-- Parameters: $1 the application; $2, $3 the first dataset and the last.
-- Outputs: dataset, partition; holder; from_ms, to_ms (ms): null, as long as the run.
SELECT o.dataset, o.partition, r.holder, r.from_ms, r.to_ms
FROM residence r
JOIN output o ON o.output = r.output
WHERE r.app = $1 AND o.app = $1 AND o.dataset BETWEEN $2 AND $3;
