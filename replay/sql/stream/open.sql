-- Purpose: room for what is asked of streaming queries, in memory and empty.
-- Grain:   one catalog, stream.
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS stream;
ATTACH ':memory:' AS stream;
