-- Purpose: the next world's table takes the place of the world's. {table} is one of the world's tables, {columns} its columns, of its types.
-- Grain:   as that table.
-- Inputs:  the next world's table
-- Outputs: as that table.
CREATE OR REPLACE TABLE world.{table} AS SELECT {columns} FROM next.{table};
