-- Purpose: what a policy says it costs.
-- Grain:   one row per cost.
-- Inputs:  next.cost
-- Outputs: kind; value; unit: slot_ms, machine_ms or bytes of a run, slot_ms_per_removal or bytes_per_removal.
SELECT kind::VARCHAR AS kind, value::DOUBLE AS value, unit::VARCHAR AS unit FROM next.cost ORDER BY kind, unit;
