-- Purpose: the parameters of a policy.
-- Grain:   one row.
-- Inputs:  none
-- Parameters: $1 the values by name, $2 their types by name: JSON objects.
-- Outputs: one column a parameter; is_set: true, so that there always is a column.
CREATE OR REPLACE TABLE param.value AS SELECT unnest(json_transform($1::JSON, $2::JSON));
