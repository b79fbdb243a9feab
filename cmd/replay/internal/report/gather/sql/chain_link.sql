-- Purpose: the way back through the rounds that re-runs took.
-- Grain:   one row per removal, dataset that ran again, and dataset that it was needed for.
-- Inputs:  rerun_chain
-- Parameters: $1 the application.
-- Outputs: the columns of table rerun_chain.
SELECT removal, dataset, name, for_dataset, level, pieces, again_ms, first_made_ms, last_made_ms, app
FROM rerun_chain
WHERE app = $1
ORDER BY removal, level, dataset, for_dataset;
