-- Purpose: whose tasks end when a unit is removed.
-- Grain:   one row per unit and worker of it.
-- Inputs:  loss.unit, world.worker
-- Outputs: unit_no, worker.
CREATE OR REPLACE TABLE loss.unit_worker AS
SELECT u.unit_no, w.worker
FROM loss.unit u
JOIN world.worker w ON w.worker = u.unit
WHERE u.unit_kind = 'worker'
UNION ALL
SELECT u.unit_no, w.worker
FROM loss.unit u
JOIN world.worker w ON w.machine = u.unit
WHERE u.unit_kind = 'machine'
ORDER BY unit_no, worker;
