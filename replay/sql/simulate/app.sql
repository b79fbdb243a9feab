-- Purpose: what the simulator asks of an application as a whole.
-- Grain:   one row.
-- Inputs:  app, problem
-- Parameters: $1 the application.
-- Outputs: as in table app; problems: rows of table problem of its log.
SELECT a.engine, a.engine_version, a.is_streaming, a.is_compacted, a.start_ms, a.end_ms, a.last_ms,
    (SELECT count(*) FROM problem p WHERE p.log = a.log) AS problems
FROM app a
WHERE a.app = $1;
