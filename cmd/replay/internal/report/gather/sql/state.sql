-- Purpose: what the workers did.
-- Grain:   one row per bin in which a worker is alive.
-- Inputs:  residence, output, dataset, holder, loss.unit, loss.curve
-- Parameters: $1 the application; $2, $3 the time that the bins divide (ms); $4 how many bins.
-- Outputs: bin; busy: workers that run a task; idle_owing: of the others, hold what somebody needs; idle_caching: of the
--          others, hold a cached block; free: the others. All in the middle of the bin.
WITH instant AS (
    SELECT i AS bin, $2 + ($3 - $2) * (2 * i + 1) // (2 * $4) AS at_ms
    FROM (SELECT unnest(range($4)) AS i)
),
asked AS (
    SELECT u.unit_no, u.unit, i.bin, i.at_ms
    FROM loss.unit u
    JOIN instant i ON i.at_ms >= u.from_ms AND i.at_ms < u.to_ms
    WHERE u.unit_kind = 'worker'
),
caching AS (
    SELECT h.worker, r.from_ms, coalesce(r.to_ms, $3 + 1) AS to_ms
    FROM residence r
    JOIN output o ON o.app = r.app AND o.output = r.output
    JOIN dataset d ON d.app = o.app AND d.dataset = o.dataset AND d.kind = 'cache'
    JOIN holder h ON h.app = r.app AND h.holder = r.holder AND h.worker IS NOT NULL
    WHERE r.app = $1
),
change AS (
    SELECT worker, at_ms, sum(n) AS n
    FROM (SELECT worker, from_ms AS at_ms, 1 AS n FROM caching UNION ALL SELECT worker, to_ms, -1 FROM caching)
    GROUP BY worker, at_ms
),
blocks AS (
    SELECT worker, at_ms, sum(n) OVER (PARTITION BY worker ORDER BY at_ms) AS blocks
    FROM change
),
cost AS (
    SELECT a.bin, a.unit, a.at_ms, c.in_flight_tasks > 0 AS is_busy, c.owed_ms + c.climb_ms > 0 AS is_owing
    FROM asked a
    ASOF JOIN loss.curve c ON c.unit_no = a.unit_no AND c.instant_ms <= a.at_ms
)
SELECT c.bin, count(*) FILTER (c.is_busy) AS busy,
    count(*) FILTER (NOT c.is_busy AND c.is_owing) AS idle_owing,
    count(*) FILTER (NOT c.is_busy AND NOT c.is_owing AND coalesce(b.blocks, 0) > 0) AS idle_caching,
    count(*) FILTER (NOT c.is_busy AND NOT c.is_owing AND coalesce(b.blocks, 0) = 0) AS free
FROM cost c
ASOF LEFT JOIN blocks b ON b.worker = c.unit AND b.at_ms <= c.at_ms
GROUP BY c.bin
ORDER BY c.bin;
