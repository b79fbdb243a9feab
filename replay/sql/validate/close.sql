-- Purpose: gives the room of a validation back.
-- Grain:   one catalog, validate.
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS validate;
