-- Purpose: the cached blocks that came into being.
-- Grain:   one row per block.
-- Inputs:  world.output, world.dataset
-- Outputs: as in table output.
SELECT o.dataset, o.partition, o.task, o.made_ms, o.cost_ms
FROM world.output o
JOIN world.dataset d ON d.dataset = o.dataset
WHERE d.kind = 'cache'
ORDER BY o.dataset, o.made_ms, o.output;
