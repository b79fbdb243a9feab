-- Purpose: what must exist to make a dataset.
-- Grain:   one row per dataset and dataset that it is made from.
-- Inputs:  input
-- Parameters: $1 the application.
-- Outputs: as in table input.
CREATE OR REPLACE TABLE world.input AS
SELECT dataset, input_dataset, known
FROM input
WHERE app = $1
ORDER BY dataset, input_dataset;
