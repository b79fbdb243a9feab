-- Purpose: what successful attempts read and wrote, for the log of a simulated run.
-- Grain:   one row per attempt that succeeded.
-- Inputs:  task
-- Parameters: $1 the application.
-- Outputs: as in table task.
SELECT task, run_ms, gc_ms, remote_blocks, local_blocks, fetch_wait_ms, remote_read_bytes, local_read_bytes, read_records,
    written_bytes, written_records, input_bytes, output_bytes
FROM task
WHERE app = $1 AND status = 'success'
ORDER BY task;
