-- Purpose: what keeps the outputs of each dataset: what the simulated outputs die with.
-- Grain:   one row per dataset and copy, the first copy first.
-- Inputs:  world.output, world.residence, world.holder
-- Outputs: dataset; copy: 1 = the first; dies_with: what most of these copies die with; after_ms (ms): how long after
--          the output was made it stands, in the median; outputs: how many have such a copy; of: how many there are.
-- Algorithm: copies of an output are numbered by when they came to stand. One that came because another had been lost or
--          moved is no further copy.
WITH copy AS (
    SELECT o.dataset, r.output, h.dies_with, greatest(r.from_ms - o.made_ms, 0) AS after_ms,
        row_number() OVER (PARTITION BY r.output ORDER BY r.from_ms, h.dies_with DESC, r.holder) AS copy
    FROM world.residence r
    JOIN world.output o ON o.output = r.output
    JOIN world.holder h ON h.holder = r.holder
    WHERE NOT EXISTS (
        SELECT 1 FROM world.residence e
        WHERE e.output = r.output AND e.holder <> r.holder AND e.to_ms <= r.from_ms
    )
),
made AS (
    SELECT dataset, count(*) AS outputs FROM world.output GROUP BY dataset
)
SELECT c.dataset, c.copy, mode(c.dies_with) AS dies_with, CAST(median(c.after_ms) AS BIGINT) AS after_ms,
    count(*) AS outputs, any_value(m.outputs) AS of
FROM copy c
JOIN made m ON m.dataset = c.dataset
GROUP BY c.dataset, c.copy
HAVING 2 * count(*) >= any_value(m.outputs)
ORDER BY c.dataset, c.copy;
