-- Purpose: the next world's table takes the place of the world's. {table} is one of the world's tables.
-- Grain:   as that table.
-- Inputs:  the next world's table
-- Outputs: as that table.
DELETE FROM world.{table};
INSERT INTO world.{table} BY NAME SELECT * FROM next.{table};
