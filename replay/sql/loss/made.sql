-- Purpose: every output with the numbers that a loss of it adds.
-- Grain:   one row per output.
-- Inputs:  world.output, world.dataset, loss.crowd
-- Outputs: output, dataset, partition, task, stage, stage_attempt; made_ms (ms), cost_ms (slot ms),
--          bytes (0 where unknown); nth: place among the outputs of its piece, the last made is the highest;
--          known: 0 logged, 1 derived, 2 inferred, 3 bound, the worse of output and dataset; is_cache, is_rollback;
--          is_crowded: its piece has a further output or residence.
CREATE OR REPLACE TABLE loss.made AS
WITH crowded AS (
    SELECT o.output, row_number() OVER (PARTITION BY o.dataset, o.partition ORDER BY o.made_ms, o.output) AS nth
    FROM world.output o SEMI JOIN loss.crowd c ON c.dataset = o.dataset AND c.partition = o.partition
)
SELECT o.output, o.dataset, o.partition, o.task, o.stage, o.stage_attempt, o.made_ms, o.cost_ms,
    coalesce(o.bytes, 0) AS bytes,
    coalesce(c.nth, 1) AS nth,
    greatest(
        list_position(['derived', 'inferred', 'bound'], o.known),
        list_position(['derived', 'inferred', 'bound'], d.known), 0
    )::TINYINT AS known,
    d.kind = 'cache' AS is_cache,
    d.is_rollback,
    c.output IS NOT NULL AS is_crowded
FROM world.output o
JOIN world.dataset d ON d.dataset = o.dataset
LEFT JOIN crowded c ON c.output = o.output;
