-- Purpose: what kinds of holders kept the outputs.
-- Grain:   one row per thing that a holder is lost with.
-- Inputs:  holder, residence, output, dataset
-- Parameters: $1 the application.
-- Outputs: dies_with: worker, machine, service or never; holders; outputs: of shuffles; blocks: cached.
SELECT h.dies_with, count(DISTINCT h.holder) AS holders,
    count(DISTINCT o.output) FILTER (d.kind = 'shuffle') AS outputs,
    count(DISTINCT o.output) FILTER (d.kind = 'cache') AS blocks
FROM residence r
JOIN holder h ON h.app = r.app AND h.holder = r.holder
JOIN output o ON o.app = r.app AND o.output = r.output
JOIN dataset d ON d.app = o.app AND d.dataset = o.dataset
WHERE r.app = $1
GROUP BY h.dies_with
ORDER BY h.dies_with;
