-- Purpose: Recorded removals and the re-runs that they caused are taken out: each piece is made once, and a worker that
--          left lives on to the end.
-- Policy:  undisturbed
-- Parameter: releases choice = drop of drop, keep: whether workers that were given back by choice live on too
-- Inputs:  world.worker, world.attempt, world.need, world.output, world.residence, world.removal, world.taken, world.again, world.cut_off
-- Rewrites: worker, attempt, need, output, residence
-- Costs:   nothing
-- Not for: a run without removals, which is undisturbed as it is
-- Moves work: no
-- Caveat:  Pieces keep their times: the gaps that a repair left in the schedule stay.

-- removals that are taken out
CREATE TABLE next.out_removal AS
SELECT r.removal
FROM world.removal r CROSS JOIN param.value p
WHERE p.releases = 'drop' OR r.kind <> 'release';

CREATE TABLE next.unfit AS
SELECT NULL::VARCHAR AS unit_kind, NULL::BIGINT AS removal, 'no worker or machine was lost: the run is undisturbed as it is' AS why
WHERE NOT EXISTS (SELECT 1 FROM next.out_removal);

-- attempts that would not have been: second runs, and first ones that a loss cut off; never the first success of a piece
CREATE TABLE next.out_task AS
WITH blamed AS (
    SELECT a.task
    FROM world.again a SEMI JOIN next.out_removal r ON r.removal = a.removal
    WHERE a.why IN ('owed', 'climb', 'unneeded', 'duplicate', 'rollback')
    UNION
    SELECT a.prev_task AS task
    FROM world.again a SEMI JOIN next.out_removal r ON r.removal = a.removal
    WHERE a.why IN ('in-flight', 'interrupted')
    UNION
    SELECT c.task FROM world.cut_off c SEMI JOIN next.out_removal r ON r.removal = c.removal
),
first_success AS (
    SELECT task
    FROM world.attempt
    WHERE status = 'success' AND partition IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY dataset IS NULL, coalesce(dataset, stage), partition ORDER BY end_ms, task) = 1
),
first_output AS (
    SELECT task
    FROM world.output
    QUALIFY row_number() OVER (PARTITION BY dataset, partition ORDER BY made_ms, output) = 1
)
SELECT b.task
FROM blamed b
ANTI JOIN first_success s ON s.task = b.task
ANTI JOIN first_output o ON o.task = b.task
WHERE b.task IS NOT NULL
ORDER BY b.task;

CREATE TABLE next.worker AS
SELECT w.worker, w.machine, w.is_coordinator, w.slots, w.added_ms,
    CASE WHEN t.worker IS NULL THEN w.removed_ms END AS removed_ms
FROM world.worker w
LEFT JOIN (SELECT DISTINCT t.worker FROM world.taken t SEMI JOIN next.out_removal r ON r.removal = t.removal) t ON t.worker = w.worker
ORDER BY w.worker;

CREATE TABLE next.attempt AS
SELECT a.* FROM world.attempt a ANTI JOIN next.out_task t ON t.task = a.task ORDER BY a.task;

-- outputs that only replace one that a removal took
CREATE TABLE next.out_output AS
WITH struck AS (
    SELECT DISTINCT s.output FROM world.residence s SEMI JOIN next.out_removal r ON r.removal = s.removal
),
placed AS (
    SELECT o.output, o.task,
        row_number() OVER piece > 1 AS is_later,
        coalesce(bool_or(k.output IS NOT NULL) OVER earlier, false) AS is_after_loss
    FROM world.output o LEFT JOIN struck k ON k.output = o.output
    WINDOW piece AS (PARTITION BY o.dataset, o.partition ORDER BY o.made_ms, o.output),
        earlier AS (PARTITION BY o.dataset, o.partition ORDER BY o.made_ms, o.output ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT p.output
FROM placed p LEFT JOIN next.out_task t ON t.task = p.task
WHERE p.is_later AND (p.is_after_loss OR t.task IS NOT NULL)
ORDER BY p.output;

CREATE TABLE next.output AS
SELECT o.* FROM world.output o ANTI JOIN next.out_output x ON x.output = o.output ORDER BY o.output;

-- a copy that a removal ended stands on, until the piece was dropped or evicted for a reason of its own
CREATE TABLE next.residence AS
WITH piece_end AS (
    SELECT o.dataset, o.partition, r.to_ms, r.end_reason
    FROM world.residence r
    JOIN world.output o ON o.output = r.output
    SEMI JOIN next.out_output x ON x.output = r.output
    QUALIFY row_number() OVER (PARTITION BY o.dataset, o.partition ORDER BY r.from_ms DESC, r.output DESC, r.holder) = 1
),
replaced AS (
    SELECT DISTINCT o.dataset, o.partition FROM next.out_output x JOIN world.output o ON o.output = x.output
),
judged AS (
    SELECT r.output, r.holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known,
        d.removal IS NOT NULL
            OR (p.dataset IS NOT NULL AND r.end_reason IN ('replaced', 'rolled_back', 'fetch_failed', 'store_removed')) AS is_healed,
        CASE WHEN e.end_reason IN ('unpersisted', 'evicted') THEN greatest(e.to_ms, r.from_ms) END AS later_ms,
        e.end_reason AS later_reason
    FROM world.residence r
    JOIN next.output o ON o.output = r.output
    LEFT JOIN next.out_removal d ON d.removal = r.removal
    LEFT JOIN replaced p ON p.dataset = o.dataset AND p.partition = o.partition
    LEFT JOIN piece_end e ON e.dataset = o.dataset AND e.partition = o.partition
)
SELECT output, holder, from_ms,
    CASE WHEN is_healed THEN later_ms ELSE to_ms END AS to_ms,
    CASE WHEN NOT is_healed THEN end_reason WHEN later_ms IS NOT NULL THEN later_reason END AS end_reason,
    CASE WHEN NOT is_healed THEN removal END AS removal,
    known
FROM judged
ORDER BY output, from_ms, holder;

-- readers that only repeated work are gone; of an attempt that lost some of its tasks, the times are those of the rest
CREATE TABLE next.need AS
WITH reader AS (
    SELECT a.stage, a.stage_attempt, count(t.task) AS dropped, count(*) - count(t.task) AS kept,
        max(a.start_ms) FILTER (WHERE t.task IS NULL AND NOT a.is_speculative) AS last_start_ms,
        max(a.end_ms) FILTER (WHERE t.task IS NULL) AS until_ms
    FROM world.attempt a LEFT JOIN next.out_task t ON t.task = a.task
    GROUP BY a.stage, a.stage_attempt
    HAVING count(t.task) > 0
)
SELECT n.dataset, n.stage, n.stage_attempt, n.job, n.through_cache, n.from_ms, n.submit_ms,
    CASE WHEN r.kept > 0 THEN coalesce(r.last_start_ms, n.last_start_ms) ELSE n.last_start_ms END AS last_start_ms,
    CASE WHEN r.kept > 0 THEN r.until_ms ELSE n.until_ms END AS until_ms,
    n.is_rerun, n.readers, n.finished_readers, n.blocks_fetched, n.blocks_possible, n.density, n.is_dense, n.known
FROM world.need n
LEFT JOIN reader r ON r.stage = n.stage AND r.stage_attempt = n.stage_attempt
WHERE r.dropped IS NULL OR r.kept > 0
ORDER BY n.dataset, n.stage, n.stage_attempt;
