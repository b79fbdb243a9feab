-- Purpose: whether a table has the same content as before. {table} is one of the loss queries' tables.
-- Grain:   one row.
-- Inputs:  the table
-- Outputs: checksum: of all rows, whatever their order.
SELECT count(*) || ' ' || coalesce(sum(hash(t)), 0) || ' ' || coalesce(bit_xor(hash(t)), 0) AS checksum
FROM {table} AS t;
