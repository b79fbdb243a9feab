-- Purpose: when an application ran, and where its task attempts stand in their table.
-- Grain:   one row.
-- Inputs:  app, attempt
-- Parameters: $1 the application.
-- Outputs: start_ms, end_ms (ms): as in world/rules; first_row, end_row: of its attempts the first row and the one behind the last.
SELECT coalesce(least(a.first_ms, a.start_ms), 0) AS start_ms, coalesce(greatest(a.last_ms, a.end_ms), 0) AS end_ms,
    coalesce(t.first_row, 0) AS first_row, coalesce(t.last_row + 1, 0) AS end_row
FROM app a
CROSS JOIN (SELECT min(rowid) AS first_row, max(rowid) AS last_row FROM attempt WHERE app = $1) t
WHERE a.app = $1;
