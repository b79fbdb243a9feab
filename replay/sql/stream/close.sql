-- Purpose: gives the room of streaming queries back.
-- Grain:   one catalog, stream.
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS stream;
