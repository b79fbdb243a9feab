-- Purpose: gives a world's memory back.
-- Grain:   none
-- Inputs:  none
-- Outputs: none
DETACH DATABASE IF EXISTS world;
DETACH DATABASE IF EXISTS loss;
