-- Purpose: room for a world and for what is derived from it, in memory and empty.
-- Grain:   two catalogs, world and loss.
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS world;
DETACH DATABASE IF EXISTS loss;
ATTACH ':memory:' AS world;
ATTACH ':memory:' AS loss;
