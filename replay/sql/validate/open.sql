-- Purpose: room for a validation, in memory and empty.
-- Grain:   one catalog, validate.
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS validate;
ATTACH ':memory:' AS validate;
