-- Purpose: which slot lane of its worker an attempt ran on.
-- Grain:   one row per attempt.
-- Inputs:  none
-- Parameters: $1 the tasks, $2 their lanes: lists of one length, in JSON.
-- Outputs: task; lane: from 0, the lowest that was free when it was launched.
CREATE OR REPLACE TABLE world.lane AS
SELECT unnest(from_json($1::VARCHAR, '["BIGINT"]')) AS task, unnest(from_json($2::VARCHAR, '["BIGINT"]')) AS lane;
