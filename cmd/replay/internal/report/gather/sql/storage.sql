-- Purpose: what kinds of holders kept the outputs.
-- Grain:   one row per thing that a holder is lost with.
-- Inputs:  holder, residence, output, dataset
-- Parameters: $1 the application.
-- Outputs: dies_with: worker, machine, service or never; holders; outputs: of shuffles; blocks: cached.
WITH place AS (
    SELECT holder, dies_with FROM holder WHERE app = $1
),
held AS (
    SELECT DISTINCT r.output, p.dies_with
    FROM residence r
    JOIN place p ON p.holder = r.holder
    WHERE r.app = $1
),
counted AS (
    SELECT h.dies_with, count(*) FILTER (d.kind = 'shuffle') AS outputs, count(*) FILTER (d.kind = 'cache') AS blocks
    FROM held h
    JOIN (SELECT output, dataset FROM output WHERE app = $1) o ON o.output = h.output
    JOIN (SELECT dataset, kind FROM dataset WHERE app = $1) d ON d.dataset = o.dataset
    GROUP BY h.dies_with
)
SELECT c.dies_with, count(*) AS holders, any_value(c.outputs) AS outputs, any_value(c.blocks) AS blocks
FROM counted c
JOIN place p ON p.dies_with = c.dies_with
GROUP BY c.dies_with
ORDER BY c.dies_with;
