-- Purpose: the world has a table again as it was kept. {world} is recorded or undisturbed, {table} one of the world's tables.
-- Grain:   as that table.
-- Inputs:  the kept table
-- Outputs: as that table.
CREATE OR REPLACE TABLE world.{table} AS SELECT * FROM kept.{world}_{table};
