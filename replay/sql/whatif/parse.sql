-- Purpose: a query as the parser understands it.
-- Grain:   one row.
-- Inputs:  none
-- Parameters: $1 the query.
-- Outputs: a tree, in JSON; an error where it is no single query.
SELECT json_serialize_sql($1::VARCHAR)::VARCHAR AS tree;
