-- Purpose: the laws that the log was checked against.
-- Grain:   one row per law.
-- Inputs:  check, finding
-- Parameters: $1 the application.
-- Outputs: statement; looked: cases looked at; violations: of these, break it; detail: of the first, empty if none does.
SELECT c.statement, sum(c.looked)::BIGINT AS looked, sum(c.violations)::BIGINT AS violations,
    coalesce(min(f.detail), '') AS detail
FROM "check" c
LEFT JOIN (
    SELECT app, check_name, arg_min(detail, seq) AS detail
    FROM finding
    WHERE app = $1
    GROUP BY ALL
) f ON f.app = c.app AND f.check_name = c.check_name
WHERE c.app = $1
GROUP BY c.check_name, c.statement
ORDER BY c.check_name;
