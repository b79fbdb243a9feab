-- Purpose: Before a unit goes it gets no new tasks: within a notice when it is withdrawn, or, when it is given back by choice,
--          until nothing that it holds is needed.
-- Policy:  drain
-- Parameter: notice duration = 2m from 0s to 24h: time from the notice to the removal, for withdrawal
-- Parameter: form choice = withdrawal of withdrawal, release: a unit that is taken after a notice, or one that is given back by choice
-- Parameter: unit choice = machine of machine, worker: what is drained
-- Inputs:  world.rules, world.worker, world.attempt, world.dataset, world.need, world.output, world.holder, world.residence, world.removal
-- Rewrites: attempt, dataset, need, output, holder, residence
-- Costs:   slot time that is held idle before each removal
-- Not for: a removal without notice (withdrawal), or one that nobody chose (release)
-- Moves work: yes
-- Unknown: where the tasks run that are kept off, and what they push aside
-- Caveat form=withdrawal: Only tasks that would have started within the notice are saved; finished output that nobody has fetched by then dies as before.
-- Caveat form=release: It waits: nothing is lost, and the slots stay idle until the last reader has ended.
-- Checked form=withdrawal: 5 real decommissions without block migration: off by 19 % of the redone slot time in the median; near the end of a round by more
--          (docs/policies.md)

CREATE TABLE next.notice AS
SELECT CASE p.form WHEN 'withdrawal' THEN p.notice ELSE 0 END AS notice_ms, p.form = 'release' AS is_release FROM param.value p;

CREATE TABLE next.unfit AS
SELECT k.kind AS unit_kind, NULL::BIGINT AS removal,
    CASE
        WHEN k.kind = 'service' THEN 'no tasks run on a service'
        WHEN p.form = 'release' THEN 'it is a ' || p.unit || ' that is given back'
        WHEN k.kind = 'worker' THEN 'a worker that exits gives no notice'
        ELSE 'notice is given of workers, not of machines'
    END AS why
FROM param.value p CROSS JOIN (VALUES ('worker'), ('machine'), ('service')) k(kind)
WHERE k.kind <> p.unit
UNION ALL
SELECT NULL, r.removal, CASE p.form WHEN 'release' THEN 'it was not given back by choice' ELSE 'it gave no notice' END
FROM world.removal r CROSS JOIN param.value p
WHERE (p.form = 'release' AND r.kind <> 'release') OR (p.form = 'withdrawal' AND p.unit = 'machine' AND r.kind IN ('exit', 'unknown'));

-- With a notice of n, the tasks that run when a unit goes at t started before t - n. So an attempt is there to be lost only
-- from n after its start on. Since what it has done by then counts too, that part is a cached block that stands with it.
CREATE TABLE next.attempt AS
SELECT a.* REPLACE (CASE WHEN n.is_release THEN a.end_ms ELSE least(a.start_ms + n.notice_ms, a.end_ms) END AS start_ms)
FROM world.attempt a CROSS JOIN next.notice n
ORDER BY a.task;

CREATE TABLE next.head AS
WITH base AS (
    SELECT (SELECT coalesce(max(dataset), 0) + 1 FROM world.dataset) AS dataset, (SELECT coalesce(max(output), 0) + 1 FROM world.output) AS output
)
SELECT b.dataset, b.output + row_number() OVER (ORDER BY a.task) - 1 AS output, a.task, a.worker, a.start_ms + n.notice_ms AS from_ms, a.end_ms AS to_ms,
    n.notice_ms AS cost_ms, h.holder
FROM world.attempt a
CROSS JOIN next.notice n
CROSS JOIN base b
JOIN (SELECT worker, min(holder) AS holder FROM world.holder WHERE dies_with = 'worker' GROUP BY worker) h ON h.worker = a.worker
WHERE NOT n.is_release AND n.notice_ms > 0 AND a.start_ms + n.notice_ms < a.end_ms;

CREATE TABLE next.dataset AS
SELECT d.dataset, d.kind, d.rdd, d.reading_rdd, d.ordinal, d.partitions, d.name, d.first_stage, d.replication, d.is_rollback, d.last_read_ms, d.known
FROM world.dataset d
UNION ALL
SELECT DISTINCT h.dataset, 'cache', -h.dataset, NULL::BIGINT, 0, NULL::BIGINT, 'done before the notice', NULL::BIGINT, 1, false, NULL::BIGINT, 'logged' FROM next.head h
ORDER BY dataset;

CREATE TABLE next.need AS
SELECT n.* FROM world.need n
UNION ALL
SELECT DISTINCT h.dataset, -1, 0, NULL::BIGINT, NULL::BIGINT, NULL::BIGINT, r.end_ms, NULL::BIGINT, r.end_ms, false, 0, 0, NULL::BIGINT, NULL::BIGINT, NULL::DOUBLE, NULL::BOOLEAN, 'logged'
FROM next.head h CROSS JOIN world.rules r
ORDER BY dataset, stage, stage_attempt;

CREATE TABLE next.output AS
SELECT o.* FROM world.output o
UNION ALL
SELECT h.output, h.dataset, h.task, NULL::BIGINT, NULL::BIGINT, NULL::BIGINT, h.worker, h.from_ms, h.cost_ms, NULL::BIGINT, 0, false, 'logged' FROM next.head h
ORDER BY output;

CREATE TABLE next.holder AS
SELECT holder, dies_with, worker, machine, service FROM world.holder
UNION ALL
SELECT 'elsewhere', 'never', NULL, NULL, NULL WHERE NOT EXISTS (SELECT 1 FROM world.holder WHERE holder = 'elsewhere')
ORDER BY holder;

-- An output whose task would have started within the notice was made elsewhere: it is safe until n after that start.
CREATE TABLE next.residence AS
WITH kept AS (
    SELECT r.output, r.holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known,
        CASE WHEN n.is_release THEN 9223372036854775807 ELSE coalesce(a.start_ms + n.notice_ms, 0) END AS safe_ms
    FROM world.residence r
    JOIN world.output o ON o.output = r.output
    LEFT JOIN world.attempt a ON a.task = o.task
    CROSS JOIN next.notice n
)
SELECT output, holder, greatest(from_ms, CASE WHEN safe_ms < coalesce(to_ms, 9223372036854775807) AND safe_ms > from_ms THEN safe_ms ELSE from_ms END) AS from_ms,
    to_ms, end_reason, removal, known
FROM kept
UNION ALL
SELECT output, 'elsewhere', from_ms, CASE WHEN safe_ms < coalesce(to_ms, 9223372036854775807) THEN safe_ms ELSE to_ms END, 'moved', NULL, any_value(known)
FROM kept
WHERE safe_ms > from_ms AND from_ms < coalesce(to_ms, 9223372036854775807)
GROUP BY output, from_ms, safe_ms, to_ms
UNION ALL
SELECT output, holder, from_ms, to_ms, NULL, NULL, 'logged' FROM next.head
ORDER BY output, from_ms, holder;

-- Idle: with a notice, what the kept off tasks would have run until the removal; for a release, all slots until the last reader of
-- what the unit holds has ended. Both are means over the instants of a unit's life.
CREATE TABLE next.cost AS
WITH member AS (
    SELECT w.worker, CASE p.unit WHEN 'machine' THEN w.machine ELSE w.worker END AS unit, coalesce(w.slots, 1) AS slots,
        coalesce(w.added_ms, r.start_ms) AS from_ms, least(coalesce(w.removed_ms, r.end_ms), r.end_ms) AS to_ms
    FROM world.worker w CROSS JOIN world.rules r CROSS JOIN param.value p
    WHERE NOT w.is_coordinator AND CASE p.unit WHEN 'machine' THEN w.machine ELSE w.worker END IS NOT NULL
),
life AS (
    SELECT unit, min(from_ms) AS from_ms, max(to_ms) AS to_ms, sum(slots) AS slots FROM member GROUP BY unit
),
total AS (
    SELECT sum(to_ms - from_ms)::DOUBLE AS life_ms FROM life
),
kept_off AS (
    SELECT sum(CASE WHEN a.end_ms - a.start_ms >= n.notice_ms THEN n.notice_ms::HUGEINT * n.notice_ms
        ELSE (a.end_ms - a.start_ms)::HUGEINT * (2 * n.notice_ms - (a.end_ms - a.start_ms)) END)::DOUBLE / 2 AS idle
    FROM world.attempt a JOIN member m ON m.worker = a.worker CROSS JOIN next.notice n
),
-- while each unit holds something that is needed
wanted AS (
    SELECT n.dataset, coalesce(n.from_ms, r.start_ms) AS from_ms, max(n.until_ms) AS to_ms FROM world.need n CROSS JOIN world.rules r GROUP BY ALL
),
held AS (
    SELECT DISTINCT m.unit, greatest(s.from_ms, w.from_ms) AS from_ms, w.to_ms
    FROM (
        SELECT r.holder, o.dataset, min(r.from_ms) AS from_ms, max(coalesce(r.to_ms, e.end_ms)) AS to_ms
        FROM world.residence r JOIN world.output o ON o.output = r.output CROSS JOIN world.rules e
        GROUP BY r.holder, o.dataset
    ) s
    JOIN world.holder h ON h.holder = s.holder AND h.dies_with IN ('worker', 'machine')
    JOIN (SELECT DISTINCT unit, worker FROM member) m ON m.worker = h.worker
    JOIN wanted w ON w.dataset = s.dataset AND greatest(s.from_ms, w.from_ms) < least(s.to_ms, w.to_ms)
),
edge AS (
    SELECT unit, from_ms, to_ms, coalesce(from_ms > max(to_ms) OVER (PARTITION BY unit ORDER BY from_ms, to_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), true) AS is_new
    FROM held
),
island AS (
    SELECT unit, from_ms, to_ms, count(*) FILTER (WHERE is_new) OVER (PARTITION BY unit ORDER BY from_ms, to_ms ROWS UNBOUNDED PRECEDING) AS island FROM edge
),
busy AS (
    SELECT unit, min(from_ms) AS from_ms, max(to_ms) AS to_ms FROM island GROUP BY unit, island
),
waited AS (
    SELECT sum(l.slots * (least(b.to_ms, l.to_ms) - greatest(b.from_ms, l.from_ms))::HUGEINT * (least(b.to_ms, l.to_ms) - greatest(b.from_ms, l.from_ms)))::DOUBLE / 2 AS idle
    FROM busy b JOIN life l ON l.unit = b.unit
    WHERE greatest(b.from_ms, l.from_ms) < least(b.to_ms, l.to_ms)
)
SELECT 'held_idle' AS kind, coalesce(k.idle, 0) / t.life_ms AS value, 'slot_ms_per_removal' AS unit
FROM kept_off k CROSS JOIN total t CROSS JOIN next.notice n
WHERE NOT n.is_release AND n.notice_ms > 0 AND t.life_ms > 0
UNION ALL
SELECT 'held_idle', coalesce(w.idle, 0) / t.life_ms, 'slot_ms_per_removal'
FROM waited w CROSS JOIN total t CROSS JOIN next.notice n
WHERE n.is_release AND t.life_ms > 0;

CREATE TABLE next.note AS
SELECT 'the notice is ' || round(100.0 * n.notice_ms / (r.end_ms - r.start_ms)) || ' % of the run: for so long a unit that is to go gets no task' AS note
FROM next.notice n CROSS JOIN world.rules r
WHERE r.end_ms > r.start_ms AND n.notice_ms * 5 > r.end_ms - r.start_ms;
