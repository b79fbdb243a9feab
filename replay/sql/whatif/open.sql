-- Purpose: room for what a policy makes, and for its parameters, in memory and empty.
-- Grain:   two catalogs, next and param.
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS next;
DETACH DATABASE IF EXISTS param;
ATTACH ':memory:' AS next;
ATTACH ':memory:' AS param;
