-- Purpose: predicted against actual, for each removal.
-- Grain:   one row per removal.
-- Inputs:  validate.cut, validate.predicted, validate.actual, validate.warm, explain.again, explain.cut_off, output, task, removal_worker
-- Parameters: $1 the application.
-- Outputs: the columns of `replay validate`; those that rest on undisturbed runs are null here. in_flight_tasks: tasks that ran there at the cut; predicted_low_tasks, predicted_high_tasks, actual_tasks: distinct pieces that
--   had succeeded before; both_low, both_high: of these, predicted and actual; precision = both_low / predicted_low, recall = both_high / actual
--   (null with a zero below); predicted_low_ms, predicted_high_ms (slot ms): what their first runs took; actual_ms (slot ms): what their second
--   runs took; warm_ratio: second over first runs of the pieces that did run again, start-up (of fresh workers, of stages new to a slot) taken out of both. A piece that an earlier removal was predicted to bring back, and that had not come back at the cut, is the earlier one's.
WITH once AS (
    SELECT p.removal, p.output, p.cost_ms, p.is_low
    FROM validate.predicted AS p
    JOIN validate.cut AS c ON c.removal = p.removal
    QUALIFY row_number() OVER (PARTITION BY p.output ORDER BY c.ordinal) = 1
),
predicted AS (
    SELECT
        o.removal, count(*) AS high, count(*) FILTER (o.is_low) AS low, count(a.output) AS both_high, count(a.output) FILTER (o.is_low) AS both_low,
        sum(o.cost_ms)::BIGINT AS high_ms, coalesce(sum(o.cost_ms) FILTER (o.is_low), 0)::BIGINT AS low_ms
    FROM once AS o
    LEFT JOIN validate.actual AS a ON a.removal = o.removal AND a.output = o.output
    GROUP BY o.removal
),
actual AS (
    SELECT v.removal, count(*) AS tasks, sum(v.again_ms)::BIGINT AS again_ms, sum(o.cost_ms)::BIGINT AS first_ms
    FROM validate.actual AS v
    JOIN output AS o ON o.app = $1 AND o.output = v.output
    GROUP BY v.removal
),
flight AS (
    SELECT w.removal, count(*) AS tasks
    FROM removal_worker AS w
    JOIN validate.cut AS c ON c.removal = w.removal
    JOIN task AS t ON t.app = $1 AND t.worker = w.worker AND t.start_seq < c.seq AND coalesce(t.end_seq >= c.seq, TRUE)
    WHERE w.app = $1
    GROUP BY w.removal
),
warm_again AS (
    SELECT v.removal, sum(w.warm_ms)::BIGINT AS ms
    FROM validate.actual AS v
    JOIN explain.again AS g ON g.redo_output = v.output
    JOIN validate.warm AS w ON w.task = g.task
    GROUP BY v.removal
),
warm_first AS (
    SELECT v.removal, sum(w.warm_ms)::BIGINT AS ms
    FROM validate.actual AS v
    JOIN output AS o ON o.app = $1 AND o.output = v.output
    JOIN validate.warm AS w ON w.task = o.task
    GROUP BY v.removal
)
SELECT
    c.removal, coalesce(f.tasks, 0) AS in_flight_tasks, coalesce(p.low, 0) AS predicted_low_tasks, coalesce(p.high, 0) AS predicted_high_tasks,
    coalesce(a.tasks, 0) AS actual_tasks, coalesce(p.both_low, 0) AS both_low, coalesce(p.both_high, 0) AS both_high,
    CASE WHEN p.low > 0 THEN p.both_low / p.low END AS precision,
    CASE WHEN a.tasks > 0 THEN coalesce(p.both_high, 0) / a.tasks END AS recall,
    coalesce(p.low_ms, 0) AS predicted_low_ms, coalesce(p.high_ms, 0) AS predicted_high_ms, coalesce(a.again_ms, 0) AS actual_ms,
    NULL::BIGINT AS base, NULL::VARCHAR AS alignment, NULL::BIGINT AS predicted_delay_p10_ms, NULL::BIGINT AS predicted_delay_p50_ms,
    NULL::BIGINT AS predicted_delay_p90_ms, NULL::BIGINT AS actual_delay_ms, NULL::BIGINT AS noise_ms,
    CASE WHEN wf.ms > 0 THEN wa.ms / wf.ms END AS warm_ratio,
    NULL::BIGINT AS predicted_recompute_p10_ms, NULL::BIGINT AS predicted_recompute_p50_ms, NULL::BIGINT AS predicted_recompute_p90_ms,
    (coalesce(x.wasted_ms, 0) + coalesce(a.first_ms, 0))::BIGINT AS actual_recompute_ms
FROM validate.cut AS c
LEFT JOIN predicted AS p ON p.removal = c.removal
LEFT JOIN actual AS a ON a.removal = c.removal
LEFT JOIN warm_again AS wa ON wa.removal = c.removal
LEFT JOIN warm_first AS wf ON wf.removal = c.removal
LEFT JOIN (SELECT removal, sum(wasted_ms)::BIGINT AS wasted_ms FROM explain.cut_off GROUP BY removal) AS x ON x.removal = c.removal
LEFT JOIN flight AS f ON f.removal = c.removal
ORDER BY c.removal;
