-- Purpose: where the outputs of a world stand, and while they do.
-- Grain:   one row per copy of an output on one holder.
-- Inputs:  residence
-- Parameters: $1 the application.
-- Outputs: as in table residence.
CREATE OR REPLACE TABLE world.residence AS
SELECT output, holder, from_ms, to_ms, end_reason, removal, known
FROM residence
WHERE app = $1
ORDER BY output, from_ms, holder;
