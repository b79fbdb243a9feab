-- Purpose: gives the room of a table back that a policy has made. {table} is its name.
-- Grain:   none
-- Inputs:  none
-- Outputs: none
DROP TABLE IF EXISTS next.{table};
