-- Purpose: instants at equal distances over the run, for every unit that is alive then.
-- Grain:   one row per unit and such instant.
-- Inputs:  loss.unit, world.rules
-- Parameters: $1 how many.
-- Outputs: unit_no; at_ms (ms).
CREATE OR REPLACE TABLE loss.asked AS
WITH grid AS (
    SELECT DISTINCT r.start_ms + ((r.end_ms - r.start_ms) * i.step + $1::BIGINT - 1) // $1::BIGINT AS at_ms
    FROM world.rules r CROSS JOIN range($1::BIGINT) i(step)
)
SELECT u.unit_no, g.at_ms
FROM loss.unit u JOIN grid g ON u.from_ms <= g.at_ms AND g.at_ms < u.to_ms
ORDER BY u.unit_no, g.at_ms;
