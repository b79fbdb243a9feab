-- Purpose: the median and the 95 % quantile of what a removal costs at a random instant of a random unit's life, and the worst.
-- Grain:   one row per kind of unit.
-- Inputs:  loss.unit, loss.curve
-- Outputs: unit_kind; p50_ms, p95_ms, max_ms (slot ms); max_unit; max_instant_ms (ms): the worst, and where its interval starts.
-- Algorithm: over an interval the cost runs evenly from c to c + n l, so the time spent below x is d (x - c), with d = 1 / n,
--            between these two, and l from there on; l at once when nothing is in flight. Added up, the time spent below x
--            is D x - E + J: D, E and J are running sums of d, d c and l over the corners up to x. These are first summed up by
--            4096 ranges of x, then corner by corner in the range that the quantile is in. Times are counted in parts of
--            2^20 and whole numbers, so that no order of adding changes a digit.
WITH interval AS MATERIALIZED (
    SELECT u.unit_kind, u.unit_no, c.instant_ms, c.recompute_ms AS from_cost, c.supremum_ms AS to_cost, (c.until_ms - c.instant_ms) * 1048576 AS length
    FROM loss.curve c JOIN loss.unit u ON u.unit_no = c.unit_no
    WHERE NOT u.is_coordinator
),
highest AS MATERIALIZED (
    SELECT unit_kind, max(to_cost) AS max_ms, max(to_cost) // 4096 + 1 AS width, sum(length)::HUGEINT AS length FROM interval GROUP BY unit_kind
),
corner AS (
    SELECT unit_kind, from_cost AS cost, length // (to_cost - from_cost) AS d, 0 AS jump FROM interval WHERE to_cost > from_cost
    UNION ALL
    SELECT unit_kind, to_cost AS cost, -(length // (to_cost - from_cost)) AS d, 0 AS jump FROM interval WHERE to_cost > from_cost
    UNION ALL
    SELECT unit_kind, from_cost AS cost, 0 AS d, length AS jump FROM interval WHERE to_cost = from_cost
),
ranged AS MATERIALIZED (
    SELECT c.unit_kind, c.cost, c.d, c.jump, (c.cost // h.width)::SMALLINT AS range, h.width
    FROM corner c JOIN highest h ON h.unit_kind = c.unit_kind
),
range_sum AS (
    SELECT unit_kind, range, any_value(width) AS width, sum(d)::HUGEINT AS d, sum(d::HUGEINT * cost)::HUGEINT AS e, sum(jump)::HUGEINT AS j
    FROM ranged
    GROUP BY unit_kind, range
),
range_run AS (
    SELECT unit_kind, range, (range + 1) * width - 1 AS end_cost,
        sum(d) OVER upto AS d, sum(e) OVER upto AS e, sum(j) OVER upto AS j, sum(d) OVER upto - d AS d_before, sum(e) OVER upto - e AS e_before, sum(j) OVER upto - j AS j_before
    FROM range_sum
    WINDOW upto AS (PARTITION BY unit_kind ORDER BY range ROWS UNBOUNDED PRECEDING)
),
asked AS (
    SELECT h.unit_kind, q.quantile, h.length * q.quantile // 100 AS at
    FROM highest h CROSS JOIN (VALUES (50), (95)) q(quantile)
),
target AS MATERIALIZED (
    SELECT r.unit_kind, a.quantile, a.at, r.range, r.end_cost, r.d_before, r.e_before, r.j_before
    FROM range_run r
    JOIN asked a ON a.unit_kind = r.unit_kind
    WHERE r.d * r.end_cost - r.e + r.j >= a.at - 4194304 -- a few ms, which rounding d may lose
    QUALIFY row_number() OVER (PARTITION BY r.unit_kind, a.quantile ORDER BY r.range) = 1
),
step AS MATERIALIZED (
    SELECT t.unit_kind, t.quantile, t.at, t.end_cost, c.cost,
        t.d_before + sum(c.d) OVER upto AS d, t.e_before + sum(c.d::HUGEINT * c.cost) OVER upto AS e, t.j_before + sum(c.jump) OVER upto AS j
    FROM target t JOIN ranged c ON c.unit_kind = t.unit_kind AND c.range = t.range
    WINDOW upto AS (PARTITION BY t.unit_kind, t.quantile ORDER BY c.cost RANGE UNBOUNDED PRECEDING)
),
piece AS (
    SELECT unit_kind, quantile, at, cost AS from_cost, lead(cost, 1, end_cost) OVER (PARTITION BY unit_kind, quantile ORDER BY cost) AS to_cost, d, e, j
    FROM (SELECT DISTINCT unit_kind, quantile, at, end_cost, cost, d, e, j FROM step)
    UNION ALL
    SELECT t.unit_kind, t.quantile, t.at, 0, min(s.cost), t.d_before, t.e_before, t.j_before
    FROM target t JOIN step s ON s.unit_kind = t.unit_kind AND s.quantile = t.quantile
    GROUP BY t.unit_kind, t.quantile, t.at, t.d_before, t.e_before, t.j_before
),
found AS (
    SELECT unit_kind, quantile,
        min(CASE WHEN d * from_cost - e + j >= at OR d <= 0 THEN from_cost ELSE least(greatest((at + e - j) // d, from_cost), to_cost) END)::BIGINT AS cost
    FROM piece
    WHERE d * to_cost - e + j >= at - 4194304 AND (from_cost > 0 OR d > 0 OR j >= at)
    GROUP BY unit_kind, quantile
),
worst AS (
    SELECT i.unit_kind, h.max_ms, min(u.unit) AS max_unit
    FROM interval i JOIN highest h ON h.unit_kind = i.unit_kind AND h.max_ms = i.to_cost JOIN loss.unit u ON u.unit_no = i.unit_no
    GROUP BY i.unit_kind, h.max_ms
)
SELECT w.unit_kind, f.cost AS p50_ms, g.cost AS p95_ms, w.max_ms, w.max_unit, min(i.instant_ms) AS max_instant_ms
FROM worst w
JOIN found f ON f.unit_kind = w.unit_kind AND f.quantile = 50
JOIN found g ON g.unit_kind = w.unit_kind AND g.quantile = 95
JOIN loss.unit u ON u.unit_kind = w.unit_kind AND u.unit = w.max_unit
JOIN interval i ON i.unit_no = u.unit_no AND i.to_cost = w.max_ms
GROUP BY w.unit_kind, f.cost, g.cost, w.max_ms, w.max_unit
ORDER BY w.unit_kind;
