-- Purpose: what is asked of the steps of explain.level.
-- Grain:   as explain.level, in its order.
-- Inputs:  explain.level
-- Outputs: step, slots, live.
SELECT step, slots, live FROM explain.level ORDER BY step;
