-- Purpose: whose tasks end when a unit is removed.
-- Grain:   one row per unit and worker of it.
-- Inputs:  loss.unit, world.worker
-- Compared: with what was there, since all else rests on it
-- Outputs: unit_no, worker.
CREATE OR REPLACE TABLE loss.unit_worker AS
SELECT u.unit_no, w.worker
FROM loss.unit u
JOIN world.worker w
    ON (u.unit_kind = 'worker' AND w.worker = u.unit) OR (u.unit_kind = 'machine' AND w.machine = u.unit)
ORDER BY u.unit_no, w.worker;
