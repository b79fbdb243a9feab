-- Purpose: the questions whose answers are the numbers of a postmortem, for its reader to ask again with `replay sql`.
-- Grain:   one statement per kind of number; each answers one value.
-- Inputs:  removal_cost, rerun_chain, rerun_cause, attempt
-- Parameters: {column} of removal_cost, {removal}, {dataset}, {app}: put into the text, since it is meant to be copied; names of columns come from
--   the tables' declarations, numbers are numbers, and {app} (a condition, empty where the trace has one application) is quoted.
-- Outputs: one column, one row.

-- number: removal
SELECT {column} FROM removal_cost WHERE removal = {removal}{app}

-- number: chain
SELECT max(pieces) FROM rerun_chain WHERE removal = {removal} AND dataset = {dataset}{app}

-- number: slot_ms
SELECT sum(end_ms - start_ms)::BIGINT FROM attempt WHERE TRUE{app}

-- number: lost_ms
SELECT sum(rerun_ms)::BIGINT FROM removal_cost WHERE TRUE{app}

-- number: finished_ms
SELECT sum(owed_ms + climb_ms + unneeded_ms + rollback_ms)::BIGINT FROM removal_cost WHERE TRUE{app}

-- number: rerun_tasks
SELECT sum(rerun_tasks)::BIGINT FROM removal_cost WHERE TRUE{app}

-- number: removals
SELECT count(*) FROM removal_cost WHERE TRUE{app}

-- number: harmless
SELECT count(*) FROM removal_cost WHERE rerun_ms = 0 AND needed_outputs = 0 AND rerun_tasks = 0{app}

-- number: unblamed
SELECT count(*) FROM rerun_cause WHERE removal IS NULL AND why <> 'speculation'{app}

-- number: saved_ms
SELECT sum(saved_ms)::BIGINT FROM removal_cost WHERE cause = 'idle'{app}
