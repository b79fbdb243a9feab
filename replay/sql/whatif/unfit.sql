-- Purpose: what a policy does not apply to.
-- Grain:   one row per reason.
-- Inputs:  next.unfit
-- Outputs: unit_kind: of this kind of unit only; removal: to this removal only; why. Both null: it does not apply at all.
SELECT unit_kind::VARCHAR AS unit_kind, removal::BIGINT AS removal, why::VARCHAR AS why FROM next.unfit ORDER BY unit_kind, removal, why;
