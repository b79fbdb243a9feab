-- Purpose: the cost of a removal at a random instant of a random unit's life: its quantiles, exactly.
-- Grain:   one row per quantile.
-- Inputs:  loss.unit, loss.curve
-- Parameters: $1 how many parts the distribution is cut into.
-- Outputs: the columns of table distribution.
-- Algorithm: over an interval the cost runs evenly from c to c + n l, so the time spent below x rises by 1 / n a ms of cost
--            between these two, or by l at once when nothing is in flight. Adding these up in the order of x gives the
--            time spent below x; between two of its corners it is a straight line. Slopes are added as whole numbers of 2^-52, so
--            that their sum does not depend on how rows are dealt among cores.
WITH interval AS MATERIALIZED (
    SELECT c.recompute_ms AS from_cost, c.supremum_ms AS to_cost, c.until_ms - c.instant_ms AS length_ms
    FROM loss.curve c SEMI JOIN (SELECT unit_no FROM loss.unit WHERE NOT is_coordinator) u ON u.unit_no = c.unit_no
),
corner AS (
    SELECT from_cost AS cost, (4503599627370496 * length_ms::DOUBLE / (to_cost - from_cost))::BIGINT AS slope, 0 AS jump FROM interval WHERE to_cost > from_cost
    UNION ALL
    SELECT to_cost AS cost, -(4503599627370496 * length_ms::DOUBLE / (to_cost - from_cost))::BIGINT AS slope, 0 AS jump FROM interval WHERE to_cost > from_cost
    UNION ALL
    SELECT from_cost AS cost, 0 AS slope, length_ms AS jump FROM interval WHERE to_cost = from_cost
),
merged AS (
    SELECT cost, sum(slope)::DOUBLE / 4503599627370496 AS slope, sum(jump)::DOUBLE AS jump FROM corner GROUP BY cost
),
line AS (
    SELECT cost, jump, lag(cost, 1, cost) OVER so_far AS last_cost,
        coalesce(sum(slope) OVER (ORDER BY cost ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS slope
    FROM merged
    WINDOW so_far AS (ORDER BY cost)
),
below AS MATERIALIZED (
    SELECT cost, last_cost,
        sum(slope * (cost - last_cost) + jump) OVER (ORDER BY cost ROWS UNBOUNDED PRECEDING) AS to_ms,
        slope * (cost - last_cost) AS run_ms, jump
    FROM line
),
total AS (
    SELECT max(to_ms) AS all_ms FROM below
),
quantile AS (
    SELECT i.step::DOUBLE / $1::BIGINT AS quantile, t.all_ms * i.step::DOUBLE / $1::BIGINT AS at_ms
    FROM total t CROSS JOIN range($1::BIGINT + 1) i(step)
    WHERE t.all_ms IS NOT NULL
),
found AS (
    SELECT q.quantile, q.at_ms, min(b.to_ms) AS to_ms
    FROM quantile q JOIN below b ON b.to_ms >= q.at_ms * (1 - 1e-12)
    GROUP BY q.quantile, q.at_ms
)
SELECT f.quantile,
    min(CASE
        WHEN b.run_ms > 0 AND f.at_ms < b.to_ms - b.jump THEN b.cost - (b.to_ms - b.jump - f.at_ms) / b.run_ms * (b.cost - b.last_cost)
        ELSE b.cost
    END)::DOUBLE AS recompute_ms
FROM found f JOIN below b ON b.to_ms = f.to_ms
GROUP BY f.quantile
ORDER BY f.quantile;
