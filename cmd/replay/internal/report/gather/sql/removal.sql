-- Purpose: what the recorded removals cost.
-- Grain:   one row per removal.
-- Inputs:  removal_cost
-- Parameters: $1 the application.
-- Outputs: the columns of table removal_cost that a report shows.
SELECT removal, kind, unit_kind, unit, gone_low_ms, gone_high_ms, detected_ms, noticed_ms, cause, reason, workers,
    resident_outputs, lost_outputs, lost_bytes, needed_outputs, in_flight_tasks, in_flight_ms, pieces_again,
    owed_ms, climb_ms, unneeded_ms, duplicate_ms, rollback_ms, rerun_tasks, rerun_ms, oldest_lost_age_ms
FROM removal_cost
WHERE app = $1
ORDER BY removal;
