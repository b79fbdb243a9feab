-- Purpose: The engine runs again by another rule.
-- Policy:  redo
-- Parameter: rule choice = share of share, by-node, region, round, job: lost pieces that someone needs, and lost pieces of running
--          stages; all pieces that the machine made for jobs that still run; lost pieces and all their readers; whole stages; whole jobs
-- Inputs:  world.rules, world.worker, world.attempt, world.dataset, world.input, world.need, world.output, world.holder, world.residence
-- Rewrites: rules, dataset, input, need, output, holder, residence
-- Costs:   nothing beside what it runs again
-- Not for: nothing
-- Moves work: no
-- Unknown rule=region: work in flight on other workers is thrown away too, which is not counted: the figures are at least this
-- Unknown rule=job: work in flight on other workers is thrown away too, which is not counted: the figures are at least this
-- Caveat rule=share: What is lost and needed, and what is lost of a stage that still runs, whether it is needed or not.
-- Caveat rule=by-node: It looks at where a piece ran, not at whether its output is lost: copies elsewhere do not help.
-- Caveat rule=region: All readers of what runs again run again too.
-- Caveat rule=round: One lost piece makes the whole stage run again.
-- Caveat rule=job: One lost piece, or one task cut off, makes the whole job run again.
CREATE TABLE next.rules AS
SELECT r.* REPLACE (p.rule AS discipline) FROM world.rules r CROSS JOIN param.value p;

CREATE TABLE next.job_span AS
SELECT job, min(start_ms) AS start_ms, max(end_ms) AS end_ms FROM world.attempt WHERE job IS NOT NULL GROUP BY job;

-- share: what is lost of a stage that runs is queued again at once
CREATE TABLE next.own_need AS
SELECT a.dataset, a.stage, a.stage_attempt, any_value(a.job) AS job, min(a.start_ms) AS from_ms, max(a.end_ms) AS until_ms, count(*) AS tasks
FROM world.attempt a CROSS JOIN param.value p
WHERE p.rule = 'share' AND a.dataset IS NOT NULL
GROUP BY a.dataset, a.stage, a.stage_attempt;

-- by-node: a piece counts where it was made, and until the last reader's job has ended
CREATE TABLE next.home AS
SELECT h.holder, h.dies_with, coalesce(h.machine, w.machine) AS machine
FROM world.holder h LEFT JOIN world.worker w ON w.worker = h.worker CROSS JOIN param.value p
WHERE p.rule = 'by-node';

CREATE TABLE next.node_copy AS
SELECT r.output, r.holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known, h.dies_with, w.machine, h.machine IS NOT DISTINCT FROM w.machine AS is_home
FROM world.residence r
JOIN world.output o ON o.output = r.output
JOIN world.dataset d ON d.dataset = o.dataset
JOIN world.worker w ON w.worker = o.worker
JOIN next.home h ON h.holder = r.holder
WHERE d.kind = 'shuffle' AND w.machine IS NOT NULL;

CREATE TABLE next.node_home AS
SELECT c.output, c.from_ms, c.to_ms, c.end_reason, c.removal, c.known, c.machine,
    CASE WHEN c.is_home AND c.dies_with = 'worker' THEN c.holder ELSE 'machine:' || c.machine END AS holder
FROM next.node_copy c
QUALIFY row_number() OVER (PARTITION BY c.output ORDER BY c.is_home DESC, c.from_ms, c.holder) = 1;

-- Whole rounds and jobs are datasets beside the run's own: their pieces stand nowhere any more once they are made, so that all
-- of them are missing when such a dataset is active. What activates it is the loss of a piece of the run's own dataset, which then costs nothing.
--   round: the loss of a piece of d makes all of d
--   region: the loss of a piece of d makes that piece (part: a cached block, which gives way where the task is in a whole),
--           and the whole of each round that reads d, and so on
--   job: the loss of anything of a job makes the whole of the job
CREATE TABLE next.extra AS
WITH kind AS (
    SELECT 'part' AS kind, d.dataset AS key FROM world.dataset d CROSS JOIN param.value p WHERE p.rule = 'region' AND d.kind = 'shuffle'
    UNION ALL
    SELECT 'whole', d.dataset FROM world.dataset d CROSS JOIN param.value p WHERE p.rule IN ('region', 'round') AND d.kind = 'shuffle'
    UNION ALL
    SELECT DISTINCT 'result', a.stage FROM world.attempt a CROSS JOIN param.value p WHERE p.rule = 'region' AND a.dataset IS NULL
    UNION ALL
    SELECT 'job', j.job FROM next.job_span j CROSS JOIN param.value p WHERE p.rule = 'job'
    UNION ALL
    SELECT 'job-whole', j.job FROM next.job_span j CROSS JOIN param.value p WHERE p.rule = 'job'
)
SELECT k.kind, k.key, b.first + row_number() OVER (ORDER BY k.kind, k.key) AS dataset
FROM kind k CROSS JOIN (SELECT coalesce(max(dataset), 0) AS first FROM world.dataset) b;

CREATE TABLE next.piece AS
WITH made AS (
    SELECT 'part' AS kind, dataset AS key, output AS source, task, stage, stage_attempt, worker, partition, made_ms, cost_ms, bytes, known FROM world.output
    UNION ALL
    SELECT 'whole', dataset, NULL, task, stage, stage_attempt, worker, partition, made_ms, cost_ms, bytes, known FROM world.output
    UNION ALL
    SELECT 'result', stage, NULL, task, stage, stage_attempt, worker, coalesce(partition, task_index), end_ms, end_ms - start_ms, 0, 'logged'
    FROM world.attempt WHERE dataset IS NULL AND status = 'success'
    UNION ALL
    SELECT 'job', a.job, o.output, NULL, NULL, NULL, o.worker, o.output, o.made_ms, 0, 0, o.known
    FROM world.output o JOIN world.attempt a ON a.task = o.task
    UNION ALL
    SELECT 'job', job, NULL, NULL, NULL, NULL, worker, -1 - task, start_ms, 0, 0, 'logged' FROM world.attempt
    UNION ALL
    SELECT 'job-whole', job, NULL, task, stage, stage_attempt, worker, task, end_ms, end_ms - start_ms, 0, 'logged' FROM world.attempt WHERE status = 'success'
),
numbered AS (
    SELECT m.*, e.dataset, (SELECT coalesce(max(output), 0) FROM world.output) + row_number() OVER (ORDER BY e.dataset, m.partition, m.made_ms, m.task) AS output
    FROM made m JOIN next.extra e ON e.kind = m.kind AND e.key = m.key
)
SELECT *, row_number() OVER (PARTITION BY dataset ORDER BY made_ms, output) - 1 AS nth, count(*) OVER (PARTITION BY dataset) AS pieces FROM numbered;

CREATE TABLE next.dataset AS
SELECT d.dataset, d.kind, d.rdd, d.reading_rdd, d.ordinal, d.partitions, d.name, d.first_stage, d.replication, d.is_rollback, d.last_read_ms, d.known
FROM world.dataset d
UNION ALL
SELECT e.dataset, CASE e.kind WHEN 'part' THEN 'cache' ELSE 'shuffle' END, -e.dataset, NULL, 0, NULL, 'redo of ' || e.kind || ' ' || e.key, NULL, 1, false, NULL, 'logged'
FROM next.extra e
ORDER BY dataset;

CREATE TABLE next.input AS
WITH reads AS (
    SELECT i.input_dataset AS dataset, i.dataset AS reader FROM world.input i
    UNION
    SELECT below.input_dataset, above.dataset
    FROM world.input above
    JOIN world.dataset c ON c.dataset = above.input_dataset AND c.kind = 'cache'
    JOIN world.input below ON below.dataset = c.dataset
),
later AS (
    SELECT r.dataset, e.dataset AS later FROM reads r JOIN next.extra e ON e.kind = 'whole' AND e.key = r.reader
    UNION
    SELECT n.dataset, e.dataset FROM world.need n JOIN next.extra e ON e.kind = 'result' AND e.key = n.stage
)
SELECT dataset, input_dataset, known FROM world.input
UNION
SELECT e.key, e.dataset, 'derived' FROM next.extra e WHERE e.kind = 'part'
UNION
SELECT e.key, e.dataset, 'derived' FROM next.extra e CROSS JOIN param.value p WHERE e.kind = 'whole' AND p.rule = 'round'
UNION
SELECT l.dataset, l.later, 'derived' FROM later l CROSS JOIN param.value p WHERE p.rule = 'region'
UNION
SELECT e.dataset, l.later, 'derived' FROM later l JOIN next.extra e ON e.kind = 'whole' AND e.key = l.dataset CROSS JOIN param.value p WHERE p.rule = 'region'
UNION
SELECT j.dataset, w.dataset, 'derived' FROM next.extra j JOIN next.extra w ON w.kind = 'job-whole' AND w.key = j.key WHERE j.kind = 'job'
ORDER BY dataset, input_dataset;

-- With rule job, the run's own datasets count for readers in later jobs, when the job that made them has ended.
CREATE TABLE next.need AS
WITH maker AS (
    SELECT o.dataset, max(j.end_ms) AS end_ms, list(DISTINCT a.job) AS jobs
    FROM world.output o
    JOIN world.attempt a ON a.task = o.task
    JOIN next.job_span j ON j.job = a.job
    CROSS JOIN param.value p
    WHERE p.rule = 'job'
    GROUP BY o.dataset
)
SELECT n.* REPLACE (
    CASE WHEN p.rule = 'by-node' THEN greatest(n.until_ms, coalesce(j.end_ms, n.until_ms)) ELSE n.until_ms END AS until_ms,
    CASE WHEN p.rule = 'by-node' THEN greatest(n.until_ms, coalesce(j.end_ms, n.until_ms)) ELSE n.submit_ms END AS submit_ms,
    CASE WHEN m.dataset IS NOT NULL THEN greatest(n.from_ms, m.end_ms) ELSE n.from_ms END AS from_ms
)
FROM world.need n
CROSS JOIN param.value p
LEFT JOIN next.job_span j ON j.job = n.job
LEFT JOIN maker m ON m.dataset = n.dataset
WHERE m.dataset IS NULL OR (n.until_ms > m.end_ms AND NOT coalesce(list_contains(m.jobs, n.job), false))
UNION ALL
SELECT s.dataset, s.stage, s.stage_attempt, s.job, NULL, s.from_ms, NULL, NULL, s.until_ms, false, s.tasks, 0, NULL, NULL, NULL, NULL, 'derived'
FROM next.own_need s
ANTI JOIN world.need n ON n.dataset = s.dataset AND n.stage = s.stage AND n.stage_attempt = s.stage_attempt
UNION ALL
SELECT e.dataset, -1 - e.key, 0, e.key, NULL, NULL, j.end_ms, NULL, j.end_ms, false, 0, 0, NULL, NULL, NULL, NULL, 'derived'
FROM next.extra e JOIN next.job_span j ON j.job = e.key
WHERE e.kind = 'job'
ORDER BY dataset, stage, stage_attempt;

-- The pieces of a whole come in up to 128 steps, each at its last piece's time.
CREATE TABLE next.output AS
SELECT o.* REPLACE (CASE WHEN e.dataset IS NULL THEN o.task END AS task, CASE WHEN e.dataset IS NULL THEN o.cost_ms ELSE 0 END AS cost_ms)
FROM world.output o LEFT JOIN next.extra e ON e.kind = 'whole' AND e.key = o.dataset
UNION ALL
SELECT output, dataset, row_number() OVER (PARTITION BY dataset ORDER BY output), task, stage, stage_attempt, worker,
    CASE WHEN kind IN ('part', 'job') THEN made_ms ELSE max(made_ms) OVER (PARTITION BY dataset, nth // ((pieces + 127) // 128)) END,
    cost_ms, NULL, bytes, false, known
FROM next.piece
ORDER BY output;

CREATE TABLE next.holder AS
SELECT holder, dies_with, worker, machine, service FROM world.holder
UNION ALL
SELECT DISTINCT n.holder, 'machine', NULL, n.machine, NULL FROM next.node_home n ANTI JOIN world.holder h ON h.holder = n.holder
UNION ALL
SELECT 'redo', 'never', NULL, NULL, NULL WHERE EXISTS (SELECT 1 FROM next.extra)
ORDER BY holder;

-- Of a job, a piece is lost with the place where an output stands, or where an attempt runs, and is no hole afterwards.
CREATE TABLE next.stand AS
SELECT k.output, k.dataset, r.holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known
FROM next.piece k JOIN world.residence r ON r.output = k.source
UNION ALL
SELECT k.output, k.dataset, h.holder, a.start_ms, a.end_ms, NULL, NULL, 'logged'
FROM next.piece k
JOIN world.attempt a ON a.task = -1 - k.partition
JOIN (SELECT worker, min(holder) AS holder FROM world.holder WHERE dies_with = 'worker' GROUP BY worker) h ON h.worker = a.worker
WHERE k.kind = 'job' AND k.source IS NULL AND a.start_ms < a.end_ms;

CREATE TABLE next.residence AS
SELECT r.output, r.holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known
FROM world.residence r ANTI JOIN next.node_home n ON n.output = r.output
UNION ALL
SELECT output, holder, from_ms, to_ms, end_reason, removal, known FROM next.node_home
UNION ALL
SELECT output, holder, from_ms, to_ms, end_reason, removal, known FROM next.stand
UNION ALL
SELECT s.output, 'redo', max(s.to_ms), NULL, NULL, NULL, 'logged'
FROM next.stand s JOIN next.extra e ON e.dataset = s.dataset
WHERE e.kind = 'job'
GROUP BY s.output
HAVING count(*) = count(s.to_ms)
UNION ALL
SELECT o.output, 'redo', o.made_ms - 1, o.made_ms, NULL, NULL, 'logged'
FROM next.output o JOIN next.extra e ON e.dataset = o.dataset
WHERE e.kind NOT IN ('part', 'job')
ORDER BY output, from_ms, holder;

CREATE TABLE next.note AS
SELECT 'the run caches data, which no region knows: a task that makes a block and an output may count twice' AS note
FROM param.value p
WHERE p.rule = 'region' AND EXISTS (SELECT 1 FROM world.dataset WHERE kind = 'cache');
