-- Purpose: units that took another unit's place.
-- Grain:   one row per unit and heir.
-- Inputs:  next.heir
-- Outputs: unit_kind; unit; heir.
SELECT unit_kind::VARCHAR AS unit_kind, unit::VARCHAR AS unit, heir::VARCHAR AS heir FROM next.heir ORDER BY unit_kind, unit, heir;
