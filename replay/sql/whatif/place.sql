-- Purpose: which place on its machine a worker took.
-- Grain:   one row per worker that is not the coordinator.
-- Inputs:  none
-- Parameters: $1 the workers, $2 their places: lists of one length, in JSON.
-- Outputs: worker; place: from 0, the lowest that was free when it registered.
CREATE OR REPLACE TABLE world.place AS
SELECT unnest(from_json($1::VARCHAR, '["VARCHAR"]')) AS worker, unnest(from_json($2::VARCHAR, '["BIGINT"]')) AS place;
