-- Purpose: the recorded losses.
-- Grain:   one row per removal and worker that it took.
-- Inputs:  removal, removal_worker
-- Parameters: $1 the application.
-- Outputs: as in tables removal and removal_worker.
SELECT r.removal, r.kind, r.unit_kind, r.unit, r.gone_low_ms, r.gone_high_ms, r.detected_ms, r.cause, r.reason, w.worker
FROM removal r
JOIN removal_worker w ON w.app = r.app AND w.removal = r.removal
WHERE r.app = $1
ORDER BY r.removal, w.removed_ms, w.worker;
