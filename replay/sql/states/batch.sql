-- Purpose: task attempts in batches that fit into memory.
-- Grain:   one row per batch.
-- Inputs:  attempt
-- Parameters: $1 the application; $2 how many rows a batch has at most.
-- Outputs: first_task, last_task. Attempts stand in the order of these numbers, so that a batch is found without reading the others.
SELECT min(task) AS first_task, max(task) AS last_task
FROM attempt
WHERE app = $1
GROUP BY rowid // $2
ORDER BY first_task;
