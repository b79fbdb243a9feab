-- Purpose: gives the room of an explanation back.
-- Grain:   one catalog, explain.
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS explain;
