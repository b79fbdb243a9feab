-- Purpose: gives the room of a policy back.
-- Grain:   none
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS next;
DETACH DATABASE IF EXISTS param;
