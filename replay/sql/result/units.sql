-- Purpose: what can be removed.
-- Grain:   one row per unit.
-- Inputs:  loss.unit
-- Outputs: unit_kind, unit; from_ms, to_ms (ms): its life; is_coordinator.
SELECT unit_kind, unit, from_ms, to_ms, is_coordinator
FROM loss.unit
ORDER BY unit_kind, unit;
