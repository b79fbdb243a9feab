-- Purpose: keeps a table of the world for later. {world} is recorded or undisturbed, {table} one of the world's tables.
-- Grain:   as that table.
-- Inputs:  the table
-- Outputs: as that table.
CREATE OR REPLACE TABLE kept.{world}_{table} AS SELECT * FROM world.{table};
