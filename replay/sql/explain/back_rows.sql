-- Purpose: writes what was found of explain.level.
-- Grain:   as explain.back.
-- Inputs:  none
-- Parameters: $1 the rows, as a JSON list for each column of explain.back, in their order.
-- Outputs: appended to explain.back.
INSERT INTO explain.back
SELECT unnest(c[1]), unnest(c[2])
FROM (SELECT from_json($1::VARCHAR, '[["BIGINT"]]') AS c);
