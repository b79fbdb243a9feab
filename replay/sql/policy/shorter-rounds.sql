-- Purpose: The run is cut into k runs, one after the other, each over one k-th of the input and each landing what it made in a durable store.
-- Policy:  shorter-rounds
-- Parameter: k int = 4 from 1 to 1000: runs
-- Parameter: lever choice = both of both, rounds, landing: rounds = shorter runs that land nothing; landing = the run as it is, and all
--          that is whole lands at the k - 1 instants at which the shorter runs would end
-- Parameter: whole text = "sort+join+cogroup+range": stages that cannot be cut: their call site, or that of the stage after them,
--          has one of these words
-- Assumption: overhead float = 1 to 3: what each further run adds, in times of what this run spent with no task running
-- Inputs:  world.rules, world.worker, world.attempt, world.dataset, world.input, world.need, world.output, world.holder, world.residence
-- Rewrites: attempt, dataset, input, need, output, holder, residence
-- Costs:   the overhead of k - 1 further runs, on all slots; bytes landed
-- Not for: a run of one round without a shuffle; stages that need all of their input at once
-- Moves work: yes
-- Unknown: whether the work can be cut at all; a log does not tell a sum from a median
-- Caveat:  Only what can be cut is: a global sort or join needs all of its input, and all of it is banked then.
-- Apart:   lever=rounds; lever=landing
-- Checked: 5 real runs cut in three, from 3 whole ones: the mean loss is off by 8 % of a machine's, 9 % of a worker's; further runs took 1.1
--          times what is assumed at the low end (docs/policies.md)

CREATE TABLE next.plan AS
WITH leaf AS (
    SELECT max(n) AS pieces
    FROM (
        SELECT count(DISTINCT coalesce(a.partition, a.task_index)) AS n
        FROM world.attempt a
        WHERE a.dataset IS NULL OR a.dataset NOT IN (SELECT dataset FROM world.input)
        GROUP BY a.stage
    )
)
SELECT least(p.k, greatest(coalesce(l.pieces, 1), 1)) AS k, p.k AS asked, p.lever FROM param.value p CROSS JOIN leaf l;

-- what cannot be cut: readers of a shuffle of such a stage, and all that follows
CREATE TABLE next.fixed AS
WITH RECURSIVE word AS (
    SELECT lower(trim(w.word)) AS word FROM param.value p CROSS JOIN unnest(string_split(p.whole, '+')) w(word) WHERE trim(w.word) <> ''
),
named AS (
    SELECT DISTINCT d.dataset FROM world.dataset d JOIN word w ON contains(lower(d.name), w.word)
),
walk AS (
    SELECT dataset FROM named
    UNION
    SELECT i.dataset FROM walk w JOIN world.input i ON i.input_dataset = w.dataset
)
SELECT dataset FROM walk;

CREATE TABLE next.fixed_stage AS
SELECT DISTINCT a.stage FROM world.attempt a SEMI JOIN next.fixed f ON f.dataset = a.dataset
UNION
SELECT DISTINCT n.stage FROM world.need n SEMI JOIN next.fixed f ON f.dataset = n.dataset;

CREATE TABLE next.frame AS
SELECT min(a.start_ms) AS from_ms, max(a.end_ms) AS to_ms, (SELECT max(task) + 1 FROM world.attempt) AS tasks,
    (SELECT max(stage) + 1 FROM world.attempt) AS stages, (SELECT coalesce(max(dataset), 0) + 1 FROM world.dataset) AS datasets,
    (SELECT coalesce(max(output), 0) + 1 FROM world.output) AS outputs
FROM world.attempt a ANTI JOIN next.fixed_stage f ON f.stage = a.stage;

CREATE TABLE next.unfit AS
SELECT NULL::VARCHAR AS unit_kind, NULL::BIGINT AS removal,
    CASE WHEN NOT EXISTS (SELECT 1 FROM world.dataset WHERE kind = 'shuffle') THEN 'the run has no shuffle: its rounds bank nothing' ELSE 'no stage can be cut: ' || p.whole END AS why
FROM param.value p CROSS JOIN next.frame f
WHERE f.from_ms IS NULL OR NOT EXISTS (SELECT 1 FROM world.dataset WHERE kind = 'shuffle');

-- Run i of k: a time t of the whole goes to from + (i * length + t - from) / k, and takes its piece along: one k-th of every
-- piece of what can be cut, with one k-th of its time and bytes.
CREATE TABLE next.slice AS
WITH plan AS (
    SELECT k, CASE lever WHEN 'landing' THEN 1 ELSE k END AS runs FROM next.plan
)
SELECT r.i, l.runs AS k, f.from_ms, f.to_ms - f.from_ms AS length_ms, f.from_ms + ((r.i + 1) * (f.to_ms - f.from_ms)) // l.runs AS end_ms,
    f.tasks, f.stages, f.datasets, f.outputs
FROM next.frame f CROSS JOIN plan l JOIN range(1000) r(i) ON r.i < l.runs
WHERE f.from_ms IS NOT NULL;

CREATE TABLE next.cut_dataset AS
SELECT d.dataset FROM world.dataset d ANTI JOIN next.fixed f ON f.dataset = d.dataset WHERE EXISTS (SELECT 1 FROM next.slice);

CREATE TABLE next.cut_stage AS
SELECT DISTINCT a.stage FROM world.attempt a ANTI JOIN next.fixed_stage f ON f.stage = a.stage WHERE EXISTS (SELECT 1 FROM next.slice);

CREATE TABLE next.attempt AS
SELECT a.* REPLACE (
    a.task + s.i * s.tasks AS task, a.stage + s.i * s.stages AS stage,
    CASE WHEN c.dataset IS NOT NULL THEN a.dataset + s.i * s.datasets ELSE a.dataset END AS dataset,
    s.from_ms + (s.i * s.length_ms + a.start_ms - s.from_ms) // s.k AS start_ms,
    s.from_ms + (s.i * s.length_ms + a.end_ms - s.from_ms) // s.k AS end_ms
)
FROM world.attempt a
JOIN next.cut_stage t ON t.stage = a.stage
LEFT JOIN next.cut_dataset c ON c.dataset = a.dataset
CROSS JOIN next.slice s
UNION ALL
SELECT a.* FROM world.attempt a ANTI JOIN next.cut_stage t ON t.stage = a.stage
ORDER BY task;

CREATE TABLE next.dataset AS
SELECT d.* REPLACE (d.dataset + s.i * s.datasets AS dataset)
FROM world.dataset d JOIN next.cut_dataset c ON c.dataset = d.dataset CROSS JOIN next.slice s
UNION ALL
SELECT d.* FROM world.dataset d ANTI JOIN next.cut_dataset c ON c.dataset = d.dataset
ORDER BY dataset;

CREATE TABLE next.input AS
SELECT i.dataset + s.i * s.datasets AS dataset, i.input_dataset + s.i * s.datasets AS input_dataset, i.known
FROM world.input i JOIN next.cut_dataset c ON c.dataset = i.dataset CROSS JOIN next.slice s
UNION ALL
SELECT i.dataset, i.input_dataset + s.i * s.datasets, i.known
FROM world.input i
ANTI JOIN next.cut_dataset c ON c.dataset = i.dataset
JOIN next.cut_dataset b ON b.dataset = i.input_dataset
CROSS JOIN next.slice s
UNION ALL
SELECT i.dataset, i.input_dataset, i.known
FROM world.input i
ANTI JOIN next.cut_dataset c ON c.dataset = i.dataset
ANTI JOIN next.cut_dataset b ON b.dataset = i.input_dataset
ORDER BY dataset, input_dataset;

-- a reader that is cut reads its own slice; one that is not reads them all
CREATE TABLE next.need AS
SELECT n.* REPLACE (
    n.dataset + s.i * s.datasets AS dataset, n.stage + s.i * s.stages AS stage, n.through_cache + s.i * s.datasets AS through_cache,
    s.from_ms + (s.i * s.length_ms + n.from_ms - s.from_ms) // s.k AS from_ms,
    s.from_ms + (s.i * s.length_ms + n.submit_ms - s.from_ms) // s.k AS submit_ms,
    s.from_ms + (s.i * s.length_ms + n.last_start_ms - s.from_ms) // s.k AS last_start_ms,
    s.from_ms + (s.i * s.length_ms + n.until_ms - s.from_ms) // s.k AS until_ms
)
FROM world.need n
JOIN next.cut_dataset c ON c.dataset = n.dataset
ANTI JOIN next.fixed_stage f ON f.stage = n.stage
CROSS JOIN next.slice s
UNION ALL
SELECT n.* REPLACE (n.dataset + s.i * s.datasets AS dataset)
FROM world.need n
JOIN next.cut_dataset c ON c.dataset = n.dataset
SEMI JOIN next.fixed_stage f ON f.stage = n.stage
CROSS JOIN next.slice s
UNION ALL
SELECT n.* FROM world.need n ANTI JOIN next.cut_dataset c ON c.dataset = n.dataset
ORDER BY dataset, stage, stage_attempt;

CREATE TABLE next.output AS
SELECT o.* REPLACE (
    o.output + s.i * s.outputs AS output, o.dataset + s.i * s.datasets AS dataset, o.task + s.i * s.tasks AS task, o.stage + s.i * s.stages AS stage,
    s.from_ms + (s.i * s.length_ms + o.made_ms - s.from_ms) // s.k AS made_ms, o.cost_ms // s.k AS cost_ms, o.warm_ms // s.k AS warm_ms, o.bytes // s.k AS bytes
)
FROM world.output o
JOIN next.cut_dataset c ON c.dataset = o.dataset
CROSS JOIN next.slice s
UNION ALL
SELECT o.* FROM world.output o ANTI JOIN next.cut_dataset c ON c.dataset = o.dataset
ORDER BY output;

-- what lands: with its run, what an uncut stage reads; with lever landing, at the next cut, what is whole by then
CREATE TABLE next.landed AS
WITH boundary AS (
    SELECT DISTINCT n.dataset FROM world.need n SEMI JOIN next.fixed_stage f ON f.stage = n.stage
),
whole AS (
    SELECT dataset, max(made_ms) AS made_ms FROM world.output GROUP BY dataset
),
cut AS (
    SELECT l.k, f.from_ms, f.to_ms - f.from_ms AS length_ms FROM next.plan l CROSS JOIN next.frame f WHERE l.lever = 'landing' AND f.from_ms IS NOT NULL
),
due AS (
    SELECT w.dataset, c.from_ms + (((w.made_ms - c.from_ms) * c.k + c.length_ms - 1) // c.length_ms) * c.length_ms // c.k AS land_ms, c.from_ms + c.length_ms AS over_ms
    FROM whole w CROSS JOIN cut c
    WHERE c.k > 1 AND c.length_ms > 0 AND w.made_ms > c.from_ms
)
SELECT o.output + s.i * s.outputs AS output, s.end_ms AS from_ms, o.bytes // s.k AS bytes, o.known
FROM world.output o
JOIN boundary b ON b.dataset = o.dataset
JOIN next.cut_dataset c ON c.dataset = o.dataset
CROSS JOIN next.slice s
WHERE s.k > 1 AND (SELECT lever FROM next.plan) = 'both'
UNION ALL
SELECT o.output, d.land_ms, o.bytes, o.known FROM world.output o JOIN due d ON d.dataset = o.dataset WHERE d.land_ms < d.over_ms;

CREATE TABLE next.holder AS
SELECT holder, dies_with, worker, machine, service FROM world.holder
UNION ALL
SELECT 'store', 'never', NULL, NULL, NULL WHERE EXISTS (SELECT 1 FROM next.landed) AND NOT EXISTS (SELECT 1 FROM world.holder WHERE holder = 'store')
ORDER BY holder;

CREATE TABLE next.residence AS
WITH every AS (
    SELECT r.output + s.i * s.outputs AS output, r.holder, s.from_ms + (s.i * s.length_ms + r.from_ms - s.from_ms) // s.k AS from_ms,
        s.from_ms + (s.i * s.length_ms + r.to_ms - s.from_ms) // s.k AS to_ms, r.end_reason, r.removal, r.known
    FROM world.residence r
    JOIN world.output o ON o.output = r.output
    JOIN next.cut_dataset c ON c.dataset = o.dataset
    CROSS JOIN next.slice s
    UNION ALL
    SELECT r.output, r.holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known
    FROM world.residence r
    JOIN world.output o ON o.output = r.output
    ANTI JOIN next.cut_dataset c ON c.dataset = o.dataset
    UNION ALL
    SELECT output, 'store', from_ms, NULL, NULL, NULL, known FROM next.landed
)
SELECT output, holder, from_ms, to_ms, end_reason, removal, known FROM every ORDER BY output, from_ms, holder;

CREATE TABLE next.cost AS
WITH busy AS (
    SELECT a.start_ms, a.end_ms, max(a.end_ms) OVER (ORDER BY a.start_ms, a.end_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS last_ms FROM world.attempt a
),
idle AS (
    SELECT coalesce(sum(greatest(start_ms - last_ms, 0)), 0) AS gap_ms FROM busy
),
width AS (
    SELECT sum(slots) AS slots FROM (
        SELECT machine, max(slots) AS slots FROM (
            SELECT coalesce(w.machine, w.worker) AS machine, w.added_ms, sum(coalesce(w.slots, 1)) OVER (PARTITION BY coalesce(w.machine, w.worker)) AS slots
            FROM world.worker w
            WHERE NOT w.is_coordinator
        ) GROUP BY machine
    )
)
SELECT 'further_runs' AS kind, (l.k - 1) * i.gap_ms * coalesce(w.slots, 1) * p.overhead AS value, 'slot_ms' AS unit
FROM next.plan l CROSS JOIN idle i CROSS JOIN width w CROSS JOIN param.value p
WHERE l.k > 1 AND l.lever <> 'landing'
UNION ALL
SELECT 'landed', coalesce(sum(bytes), 0)::DOUBLE, 'bytes' FROM next.landed HAVING count(*) > 0;

CREATE TABLE next.note AS
SELECT 'k = ' || asked || ' is more than the first stages have pieces: taken as ' || k AS note FROM next.plan WHERE asked > k
UNION ALL
SELECT 'not cut: stages ' || string_agg(stage, ', ' ORDER BY stage) FROM next.fixed_stage HAVING count(*) > 0
UNION ALL
SELECT 'cut: ' || (SELECT count(*) FROM next.cut_stage) || ' stages, each piece into ' || k || ' of equal size' FROM next.plan WHERE k > 1 AND lever <> 'landing';
