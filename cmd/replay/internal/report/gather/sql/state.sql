-- Purpose: what the workers did, over time.
-- Grain:   one row per bin of time in which a worker was there.
-- Inputs:  worker_state
-- Parameters: $1 the application; $2, $3 the time that the bins divide (ms); $4 how many bins.
-- Outputs: bin; busy, idle_owing, idle_caching, free: workers in each state, in the mean over the bin.
-- Algorithm: the time spent in a state up to each edge of a bin, from the steps of how many are in it; differences of that.
WITH edge AS (
    SELECT i AS bin, $2::BIGINT + ($3::BIGINT - $2::BIGINT) * i // $4::BIGINT AS at_ms
    FROM (SELECT unnest(range($4::BIGINT + 1)) AS i)
),
change AS (
    SELECT state, from_ms AS at_ms, 1 AS n FROM worker_state WHERE app = $1 AND to_ms > from_ms
    UNION ALL
    SELECT state, to_ms, -1 FROM worker_state WHERE app = $1 AND to_ms > from_ms
),
moment AS (
    SELECT state, at_ms, sum(n)::BIGINT AS n FROM change GROUP BY state, at_ms
),
step AS (
    SELECT state, at_ms, lead(at_ms, 1, at_ms) OVER so_far AS next_ms,
        (sum(n) OVER (PARTITION BY state ORDER BY at_ms ROWS UNBOUNDED PRECEDING))::BIGINT AS workers
    FROM moment
    WINDOW so_far AS (PARTITION BY state ORDER BY at_ms)
),
spent AS (
    SELECT state, at_ms, workers,
        coalesce(sum(workers * (next_ms - at_ms)) OVER (PARTITION BY state ORDER BY at_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::BIGINT AS before_ms
    FROM step
),
at_edge AS (
    SELECT s.state, e.bin, e.at_ms, coalesce(p.before_ms + p.workers * (e.at_ms - p.at_ms), 0) AS spent_ms
    FROM (SELECT DISTINCT state FROM moment) s
    CROSS JOIN edge e
    ASOF LEFT JOIN spent p ON p.state = s.state AND p.at_ms <= e.at_ms
),
share AS (
    SELECT state, bin, (lead(spent_ms) OVER over_time - spent_ms)::DOUBLE / (lead(at_ms) OVER over_time - at_ms) AS workers
    FROM at_edge
    WINDOW over_time AS (PARTITION BY state ORDER BY bin)
)
SELECT bin, coalesce(sum(workers) FILTER (state = 'busy'), 0) AS busy,
    coalesce(sum(workers) FILTER (state = 'idle_owing'), 0) AS idle_owing,
    coalesce(sum(workers) FILTER (state = 'idle_caching'), 0) AS idle_caching,
    coalesce(sum(workers) FILTER (state = 'free'), 0) AS free
FROM share
WHERE bin < $4::BIGINT
GROUP BY bin
HAVING sum(workers) > 0
ORDER BY bin;
