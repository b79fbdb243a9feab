-- Purpose: the parents of RDDs, for the log of a simulated run.
-- Grain:   one row per description of an RDD and parent.
-- Inputs:  rdd_parent
-- Parameters: $1 the application.
-- Outputs: rdd, seq, parent_rdd.
SELECT rdd, seq, parent_rdd
FROM rdd_parent
WHERE app = $1
ORDER BY rdd, seq, parent_rdd;
