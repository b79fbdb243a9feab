-- Purpose: what must exist to make a dataset.
-- Grain:   one row per dataset and dataset that it is made from.
-- Inputs:  world.input
-- Outputs: dataset, input_dataset.
SELECT dataset, input_dataset
FROM world.input
ORDER BY dataset, input_dataset;
