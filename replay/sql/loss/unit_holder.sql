-- Purpose: which holders die with a unit.
-- Grain:   one row per unit and holder of it.
-- Inputs:  loss.unit, world.holder, world.worker
-- Outputs: unit_no, holder.
CREATE OR REPLACE TABLE loss.unit_holder AS
WITH placed AS (
    SELECT h.holder, h.dies_with, h.worker, h.service, coalesce(h.machine, w.machine) AS machine
    FROM world.holder h LEFT JOIN world.worker w ON w.worker = h.worker
)
SELECT u.unit_no, h.holder
FROM loss.unit u JOIN placed h ON h.worker = u.unit
WHERE u.unit_kind = 'worker' AND h.dies_with = 'worker'
UNION ALL
SELECT u.unit_no, h.holder
FROM loss.unit u JOIN placed h ON h.machine = u.unit
WHERE u.unit_kind = 'machine' AND h.dies_with IN ('worker', 'machine')
UNION ALL
SELECT u.unit_no, h.holder
FROM loss.unit u JOIN placed h ON h.service = u.unit
WHERE u.unit_kind = 'service' AND h.dies_with = 'service'
ORDER BY unit_no, holder;
