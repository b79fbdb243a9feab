-- Purpose: room for an explanation, in memory and empty.
-- Grain:   one catalog, explain.
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS explain;
ATTACH ':memory:' AS explain;
