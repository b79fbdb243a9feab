-- Purpose: the readers that a worker did not serve.
-- Grain:   one row per failed fetch.
-- Inputs:  fetch_failure
-- Parameters: $1 the application.
-- Outputs: task, from_worker.
SELECT task, from_worker
FROM fetch_failure
WHERE app = $1
ORDER BY seq;
