-- Purpose: what the climb through the rounds needs to know (package replay/climb).
-- Grain:   one row per dataset, input, and interval; those of one kind and key sorted by time.
-- Inputs:  world.dataset, world.input, loss.start, loss.lost_presence, loss.hole_presence
-- Outputs: kind: 0 a dataset, 1 an input (from_ms is the dataset that it is made from), 2 of the start set, 3 lost with a unit, 4 standing
--          nowhere; dataset; unit_no; is_low; from_ms, to_ms (ms).
SELECT kind, dataset, unit_no, is_low, from_ms, to_ms
FROM (
    SELECT 0::BIGINT AS kind, dataset, 0::BIGINT AS unit_no, false AS is_low, 0::BIGINT AS from_ms, 0::BIGINT AS to_ms FROM world.dataset
    UNION ALL
    SELECT 1, dataset, 0, false, input_dataset, 0 FROM world.input
    UNION ALL
    SELECT 2, dataset, unit_no, is_low, from_ms, to_ms FROM loss.start
    UNION ALL
    SELECT 3, dataset, unit_no, is_low, from_ms, to_ms FROM loss.lost_presence
    UNION ALL
    SELECT 4, dataset, 0, false, from_ms, to_ms FROM loss.hole_presence
)
ORDER BY kind, dataset, unit_no, is_low, from_ms;
