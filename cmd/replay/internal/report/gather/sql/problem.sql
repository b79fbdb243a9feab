-- Purpose: what was wrong with the input, by kind.
-- Grain:   one row per kind of problem.
-- Inputs:  problem
-- Parameters: $1 the application: its problems, and those of no application.
-- Outputs: kind; problems; skipped_bytes (bytes); file, line, detail: of the first.
SELECT kind, count(*) AS problems, sum(skipped_bytes)::BIGINT AS skipped_bytes,
    arg_min(file, coalesce(seq, 0)) AS file, arg_min(line, coalesce(seq, 0)) AS line, arg_min(detail, coalesce(seq, 0)) AS detail
FROM problem
WHERE app IS NULL OR app = $1
GROUP BY kind
ORDER BY problems DESC, kind;
