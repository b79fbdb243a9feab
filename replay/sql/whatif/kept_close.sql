-- Purpose: gives the room of kept worlds back.
-- Grain:   none
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS kept;
