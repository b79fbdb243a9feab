-- Purpose: the removals that the log tells of.
-- Grain:   one row per removal.
-- Inputs:  world.removal
-- Outputs: removal; kind; unit_kind; unit; gone_ms (ms).
SELECT removal, kind, unit_kind, unit, gone_ms FROM world.removal ORDER BY removal;
