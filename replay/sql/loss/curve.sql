-- Purpose: what losing a unit costs, at every instant of its life.
-- Grain:   one row per unit and interval in which nothing jumps, in the order of units and time.
-- Inputs:  none
-- Outputs: unit_no; instant_ms, until_ms (ms); in_flight_tasks; recompute_ms, recompute_low_ms (slot ms): just after
--          instant_ms; both grow from there by in_flight_tasks a ms; supremum_ms (slot ms): recompute_ms just before until_ms.
--          Empty: loss/curve_rows fills it, some units at a time.
CREATE OR REPLACE TABLE loss.curve (
    unit_no INTEGER, instant_ms BIGINT, until_ms BIGINT, in_flight_tasks BIGINT, recompute_ms BIGINT, recompute_low_ms BIGINT, supremum_ms BIGINT
);
