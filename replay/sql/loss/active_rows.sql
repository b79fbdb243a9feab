-- Purpose: writes what the climb found.
-- Grain:   as loss.active.
-- Inputs:  none
-- Parameters: $1 the rows, as a JSON list for each column of loss.active, in their order; numbers all.
-- Outputs: appended to loss.active.
INSERT INTO loss.active
SELECT unnest(c[1])::INTEGER, unnest(c[2]), unnest(c[3]) > 0, unnest(c[4]), unnest(c[5])
FROM (SELECT from_json($1::VARCHAR, '[["BIGINT"]]') AS c);
