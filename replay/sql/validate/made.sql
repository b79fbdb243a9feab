-- Purpose: how far every dataset had come before a cut.
-- Grain:   one row per removal and dataset of which a piece had been made.
-- Inputs:  validate.piece, dataset
-- Parameters: $1 the application.
-- Outputs: removal, dataset, is_cache; pieces: of the whole dataset, null when not known; made: ever made; is_whole: all were ever made;
--   lost, holes: pieces; is_rollback: run again in whole when lost in part.
CREATE OR REPLACE TABLE validate.made AS
SELECT
    p.removal, p.dataset, any_value(p.is_cache) AS is_cache, any_value(d.partitions) AS pieces, count(*) AS made,
    count(*) >= any_value(coalesce(d.partitions, 9223372036854775807)) AS is_whole,
    count(*) FILTER (p.is_lost) AS lost, count(*) FILTER (p.is_hole) AS holes, any_value(d.is_rollback) AS is_rollback
FROM validate.piece AS p
JOIN dataset AS d ON d.app = $1 AND d.dataset = p.dataset
GROUP BY p.removal, p.dataset
ORDER BY p.removal, p.dataset;
