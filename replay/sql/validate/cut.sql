-- Purpose: where the log is stopped before each removal: before the first line that tells of it.
-- Grain:   one row per removal.
-- Inputs:  removal
-- Parameters: $1 the application.
-- Outputs: removal; seq (line): what has a smaller seq had been said; ordinal: in the order of the cuts.
CREATE OR REPLACE TABLE validate.cut AS
SELECT removal, first_seq AS seq, row_number() OVER (ORDER BY first_seq, removal) AS ordinal
FROM removal
WHERE app = $1
ORDER BY removal;
