-- Purpose: the residences of crowded pieces.
-- Grain:   one row per residence.
-- Inputs:  loss.copy, loss.crowd
-- Empty if: loss.crowd
-- Outputs: as in loss.copy; nth: place of the output among those of its piece, the last made is the highest.
CREATE OR REPLACE TABLE loss.crowd_copy AS
SELECT c.output, c.dataset, c.partition, c.task, c.holder, c.from_ms, c.to_ms, c.made_ms, c.cost_ms, c.bytes, c.known, c.place,
    c.is_cache, c.is_rollback,
    dense_rank() OVER (PARTITION BY c.dataset, c.partition ORDER BY c.made_ms, c.output) AS nth
FROM loss.copy c SEMI JOIN loss.crowd w ON w.dataset = c.dataset AND w.partition = c.partition;
