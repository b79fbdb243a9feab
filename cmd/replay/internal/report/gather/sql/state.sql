-- Purpose: what the workers did, over time.
-- Grain:   one row per bin of time in which a worker was there.
-- Inputs:  worker_state
-- Parameters: $1 the application; $2, $3 the time that the bins divide (ms); $4 how many bins.
-- Outputs: bin; busy, idle_owing, idle_caching, free: workers in each state, in the mean over the bin.
WITH edge AS (
    SELECT i AS bin, $2::BIGINT + ($3::BIGINT - $2::BIGINT) * i // $4::BIGINT AS from_ms,
        $2::BIGINT + ($3::BIGINT - $2::BIGINT) * (i + 1) // $4::BIGINT AS to_ms
    FROM (SELECT unnest(range($4::BIGINT)) AS i)
),
change AS (
    SELECT state, from_ms AS at_ms, 1 AS n FROM worker_state WHERE app = $1 AND to_ms > from_ms
    UNION ALL
    SELECT state, to_ms, -1 FROM worker_state WHERE app = $1 AND to_ms > from_ms
),
moment AS (
    SELECT state, at_ms, sum(n) AS n FROM change GROUP BY state, at_ms
),
step AS (
    SELECT state, at_ms AS from_ms, lead(at_ms) OVER (PARTITION BY state ORDER BY at_ms) AS to_ms,
        sum(n) OVER (PARTITION BY state ORDER BY at_ms ROWS UNBOUNDED PRECEDING) AS workers
    FROM moment
),
share AS (
    SELECT e.bin, s.state, sum(s.workers * (least(s.to_ms, e.to_ms) - greatest(s.from_ms, e.from_ms)))::DOUBLE / any_value(e.to_ms - e.from_ms) AS workers
    FROM edge e
    JOIN step s ON s.from_ms < e.to_ms AND s.to_ms > e.from_ms
    GROUP BY e.bin, s.state
)
SELECT bin, coalesce(sum(workers) FILTER (WHERE state = 'busy'), 0) AS busy,
    coalesce(sum(workers) FILTER (WHERE state = 'idle_owing'), 0) AS idle_owing,
    coalesce(sum(workers) FILTER (WHERE state = 'idle_caching'), 0) AS idle_caching,
    coalesce(sum(workers) FILTER (WHERE state = 'free'), 0) AS free
FROM share
GROUP BY bin
HAVING sum(workers) > 0
ORDER BY bin;
