-- Purpose: room for a policy's costs at the other end of what it assumes.
-- Grain:   none
-- Inputs:  none
-- Outputs: none
DROP TABLE IF EXISTS next.cost;
