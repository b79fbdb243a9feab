-- Purpose: while a dataset is active: its start set, and what active datasets one or more levels above need of it.
-- Grain:   one row per unit, dataset, bound and interval; the intervals of a key neither overlap nor touch.
-- Inputs:  none: package replay/climb works it out, from what loss/climb answers
-- Outputs: unit_no (0: though nothing more is lost), dataset, is_low, from_ms, to_ms (ms); empty, loss/active_rows fills it.
CREATE OR REPLACE TABLE loss.active (
    unit_no INTEGER, dataset BIGINT, is_low BOOLEAN, from_ms BIGINT, to_ms BIGINT
);
