-- Purpose: how the invariants of the lineage fared, over all applications.
-- Grain:   one row per invariant.
-- Inputs:  check
-- Outputs: name; statement (what must hold); looked, violations (times)
SELECT check_name AS name, statement, sum(looked)::BIGINT AS looked, sum(violations)::BIGINT AS violations
FROM "check"
GROUP BY check_name, statement
ORDER BY check_name
