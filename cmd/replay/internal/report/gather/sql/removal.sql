-- Purpose: what the recorded removals cost.
-- Grain:   one row per removal.
-- Inputs:  removal_cost
-- Parameters: $1 the application.
-- Outputs: the columns of table removal_cost.
SELECT
    removal, removal_group, kind, unit_kind, unit, gone_low_ms, gone_high_ms, detected_ms, cause, resident_outputs, lost_outputs,
    lost_bytes, needed_outputs, in_flight_tasks, in_flight_ms, owed_tasks, owed_ms, climb_tasks, climb_ms, interrupted_tasks,
    interrupted_ms, unneeded_tasks, unneeded_ms, rerun_tasks, rerun_ms, climb_depth, oldest_lost_age_ms, repair_begin_ms, repair_end_ms,
    delay_ms, workers, reason, first_seq, needed_ms, cached_blocks, cached_bytes, duplicate_tasks, duplicate_ms, rollback_tasks,
    rollback_ms, noticed_ms, pieces_again, fetch_failures, stale_readers, host_unregistered, moved_outputs, requeued_outputs,
    stage_attempts, delay_reason, pieces_unmade, saved_ms, asked_again, start_up_ms, cached_readers, cached_readers_ms,
    left_cut_off, left_failed, poison_stage, poison_piece, poison_workers, app
FROM removal_cost
WHERE app = $1
ORDER BY removal;
