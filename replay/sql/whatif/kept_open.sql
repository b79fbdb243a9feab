-- Purpose: room for worlds that are kept, in memory and empty.
-- Grain:   one catalog, kept.
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS kept;
ATTACH ':memory:' AS kept;
