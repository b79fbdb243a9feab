-- Purpose: the columns of a table of a world, in order.
-- Grain:   no row.
-- Inputs:  {world}.{table}
-- Parameters: {table}, {world}: names from the program's lists.
-- Outputs: the table's own columns.
SELECT * FROM {world}.{table} LIMIT 0;
