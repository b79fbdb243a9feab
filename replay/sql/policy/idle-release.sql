-- Purpose: A worker that has been idle for a while is given back at once, and one comes back when there is work again.
-- Policy:  idle-release
-- Parameter: after duration = 1m from 0s to 24h: idle time after which it goes
-- Parameter: tracking choice = no of no, yes: whether it stays while it holds shuffle outputs that are needed
-- Parameter: unit choice = worker of worker, machine: what goes; a machine is idle when all its workers are
-- Inputs:  world.rules, world.worker, world.machine, world.attempt, world.dataset, world.input, world.need, world.output, world.holder, world.residence
-- Rewrites: worker, machine, attempt, output, holder, residence
-- Costs:   slot time to make what was needed and went, once (stranded); what is redone before each later read, with the way back
--          to it, as often as it goes (redone); less the slot time that was not paid for
-- Not for: a run in which nothing is idle for that long
-- Moves work: yes
-- Unknown: how long a worker takes to come back, and where what is made again will stand: it is taken to stand where it stood
-- Caveat:  An idle worker is not an empty one: what stands on it goes with it.
-- Checked tracking=no: 5 real runs that gave idle workers back: what was redone is off by 5 % in the mean (docs/policies.md)

CREATE TABLE next.member AS
SELECT w.worker, w.machine, w.slots, CASE p.unit WHEN 'machine' THEN w.machine ELSE w.worker END AS unit,
    coalesce(w.added_ms, r.start_ms) AS from_ms, least(coalesce(w.removed_ms, r.end_ms), r.end_ms) AS to_ms
FROM world.worker w CROSS JOIN world.rules r CROSS JOIN param.value p
WHERE NOT w.is_coordinator AND CASE p.unit WHEN 'machine' THEN w.machine ELSE w.worker END IS NOT NULL;

-- times without a task on the unit, its life's edges included
CREATE TABLE next.gap AS
WITH life AS (
    SELECT unit, min(from_ms) AS from_ms, max(to_ms) AS to_ms FROM next.member GROUP BY unit
),
busy AS (
    SELECT m.unit, a.start_ms AS from_ms, a.end_ms AS to_ms FROM world.attempt a JOIN next.member m ON m.worker = a.worker
    UNION ALL
    SELECT unit, from_ms, from_ms FROM life
    UNION ALL
    SELECT unit, to_ms, to_ms FROM life
),
later AS (
    SELECT unit, from_ms, max(to_ms) OVER (PARTITION BY unit ORDER BY from_ms, to_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS last_ms
    FROM busy
)
SELECT unit, last_ms AS idle_ms, from_ms AS busy_ms FROM later WHERE last_ms < from_ms;

CREATE TABLE next.place AS
SELECT h.holder, m.unit FROM world.holder h JOIN next.member m ON m.worker = h.worker WHERE h.dies_with = 'worker'
UNION
SELECT h.holder, m.unit FROM world.holder h JOIN next.member m ON m.machine = h.machine CROSS JOIN param.value p WHERE h.dies_with = 'machine' AND p.unit = 'machine';

-- while a unit holds a shuffle that someone still needs
CREATE TABLE next.held AS
WITH wanted AS (
    SELECT n.dataset, coalesce(n.from_ms, r.start_ms) AS from_ms, max(n.until_ms) AS to_ms
    FROM world.need n CROSS JOIN world.rules r JOIN world.dataset d ON d.dataset = n.dataset
    WHERE d.kind = 'shuffle'
    GROUP BY ALL
)
SELECT k.unit, r.output, r.holder, r.from_ms AS stands_ms, coalesce(r.to_ms, e.end_ms) AS gone_ms, o.cost_ms, coalesce(o.bytes, 0) AS bytes, w.from_ms, w.to_ms
FROM world.residence r
JOIN next.place k ON k.holder = r.holder
JOIN world.output o ON o.output = r.output
JOIN wanted w ON w.dataset = o.dataset
CROSS JOIN world.rules e
WHERE greatest(r.from_ms, w.from_ms) < least(coalesce(r.to_ms, e.end_ms), w.to_ms);

CREATE TABLE next.release AS
WITH due AS (
    SELECT g.unit, g.idle_ms + p.after AS due_ms, g.busy_ms, p.tracking = 'yes' AS is_tracked
    FROM next.gap g CROSS JOIN param.value p
    WHERE g.idle_ms + p.after < g.busy_ms
),
blocked AS (
    SELECT d.unit, d.due_ms, max(least(h.to_ms, h.gone_ms)) AS free_ms
    FROM due d JOIN next.held h ON h.unit = d.unit AND greatest(h.from_ms, h.stands_ms) < d.busy_ms AND d.due_ms < least(h.to_ms, h.gone_ms)
    WHERE d.is_tracked
    GROUP BY d.unit, d.due_ms
)
SELECT d.unit, greatest(d.due_ms, coalesce(b.free_ms, d.due_ms)) AS gone_ms, d.busy_ms AS back_ms,
    row_number() OVER (PARTITION BY d.unit ORDER BY d.due_ms) AS nth
FROM due d LEFT JOIN blocked b ON b.unit = d.unit AND b.due_ms = d.due_ms
WHERE greatest(d.due_ms, coalesce(b.free_ms, d.due_ms)) < d.busy_ms;

CREATE TABLE next.unfit AS
SELECT NULL::VARCHAR AS unit_kind, NULL::BIGINT AS removal,
    CASE WHEN p.tracking = 'yes' AND EXISTS (SELECT 1 FROM next.gap g WHERE g.idle_ms + p.after < g.busy_ms) THEN 'every idle ' || p.unit || ' holds outputs that are needed, and stays'
        ELSE 'no ' || p.unit || ' is idle for that long' END AS why
FROM param.value p
WHERE NOT EXISTS (SELECT 1 FROM next.release);

-- Each stretch of a worker's life between two releases is a worker: ID, ID~2, ...
CREATE TABLE next.stretch AS
WITH cut AS (
    SELECT m.worker, m.machine, m.unit, r.nth, r.gone_ms, r.back_ms FROM next.member m JOIN next.release r ON r.unit = m.unit AND m.from_ms < r.gone_ms AND r.gone_ms < m.to_ms
),
edge AS (
    SELECT m.worker, m.machine, m.unit, m.from_ms, NULL::BIGINT AS after_nth FROM next.member m
    UNION ALL
    SELECT c.worker, c.machine, c.unit, c.back_ms, c.nth FROM cut c JOIN next.member m ON m.worker = c.worker WHERE c.back_ms < m.to_ms
),
numbered AS (
    SELECT e.*, row_number() OVER (PARTITION BY e.worker ORDER BY e.from_ms) AS stretch FROM edge e
)
SELECT n.worker, n.machine, n.unit, n.stretch, n.from_ms, min(c.gone_ms) AS gone_ms,
    CASE WHEN n.stretch = 1 THEN n.worker ELSE n.worker || '~' || n.stretch END AS new_worker,
    CASE WHEN n.after_nth IS NULL OR p.unit = 'worker' THEN n.machine ELSE n.machine || '~' || (n.after_nth + 1) END AS new_machine
FROM numbered n
LEFT JOIN cut c ON c.worker = n.worker AND c.gone_ms > n.from_ms
CROSS JOIN param.value p
GROUP BY ALL;

CREATE TABLE next.worker AS
SELECT coalesce(s.new_worker, w.worker) AS worker, CASE WHEN s.worker IS NULL THEN w.machine ELSE s.new_machine END AS machine, w.is_coordinator, w.slots,
    CASE WHEN coalesce(s.stretch, 1) = 1 THEN w.added_ms ELSE s.from_ms END AS added_ms, coalesce(s.gone_ms, w.removed_ms) AS removed_ms
FROM world.worker w LEFT JOIN next.stretch s ON s.worker = w.worker
ORDER BY worker;

CREATE TABLE next.machine AS
SELECT machine, is_coordinator FROM world.machine
UNION
SELECT s.new_machine, false FROM next.stretch s WHERE s.new_machine IS NOT NULL AND s.new_machine NOT IN (SELECT machine FROM world.machine)
ORDER BY machine;

CREATE TABLE next.attempt AS
SELECT a.* REPLACE (coalesce(s.new_worker, a.worker) AS worker, CASE WHEN s.worker IS NULL OR a.machine IS NULL THEN a.machine ELSE s.new_machine END AS machine)
FROM world.attempt a ASOF LEFT JOIN next.stretch s ON s.worker = a.worker AND s.from_ms <= a.start_ms
ORDER BY a.task;

CREATE TABLE next.output AS
SELECT o.* REPLACE (coalesce(s.new_worker, o.worker) AS worker)
FROM world.output o ASOF LEFT JOIN next.stretch s ON s.worker = o.worker AND s.from_ms <= o.made_ms
ORDER BY o.output;

CREATE TABLE next.split AS
SELECT h.holder, h.dies_with, h.worker, h.service, s.from_ms, s.gone_ms, s.new_worker, s.new_machine,
    CASE WHEN s.stretch = 1 THEN h.holder WHEN h.holder = 'worker:' || h.worker THEN 'worker:' || s.new_worker ELSE h.holder || '@' || s.new_worker END AS new_holder
FROM world.holder h JOIN next.stretch s ON s.worker = h.worker
UNION ALL
SELECT DISTINCT h.holder, h.dies_with, NULL, h.service, s.from_ms, s.gone_ms, NULL, s.new_machine,
    CASE WHEN s.new_machine = h.machine THEN h.holder ELSE h.holder || '@' || s.new_machine END
FROM world.holder h
JOIN (
    SELECT machine, new_machine, min(from_ms) AS from_ms, CASE WHEN count(*) = count(gone_ms) THEN max(gone_ms) END AS gone_ms
    FROM next.stretch CROSS JOIN param.value p
    WHERE p.unit = 'machine'
    GROUP BY machine, new_machine
) s ON s.machine = h.machine
WHERE h.worker IS NULL;

CREATE TABLE next.holder AS
SELECT DISTINCT new_holder AS holder, dies_with, new_worker AS worker, new_machine AS machine, service FROM next.split
UNION ALL
SELECT h.holder, h.dies_with, h.worker, h.machine, h.service FROM world.holder h ANTI JOIN next.split s ON s.holder = h.holder
ORDER BY holder;

CREATE TABLE next.residence AS
WITH placed AS (
    SELECT r.output, r.holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known, s.new_holder, s.gone_ms,
        s.gone_ms IS NOT NULL AND s.gone_ms < coalesce(r.to_ms, 9223372036854775807) AND r.from_ms <= s.gone_ms AS is_released
    FROM world.residence r ASOF LEFT JOIN next.split s ON s.holder = r.holder AND s.from_ms <= r.from_ms
)
SELECT output, coalesce(new_holder, holder) AS holder, from_ms,
    CASE WHEN is_released THEN gone_ms ELSE to_ms END AS to_ms,
    CASE WHEN is_released THEN 'worker_removed' ELSE end_reason END AS end_reason,
    CASE WHEN NOT is_released THEN removal END AS removal, known
FROM placed
ORDER BY output, from_ms, holder;

CREATE TABLE next.heir AS
SELECT DISTINCT 'worker' AS unit_kind, worker AS unit, new_worker AS heir FROM next.stretch
UNION
SELECT DISTINCT 'machine', machine, new_machine FROM next.stretch WHERE machine IS NOT NULL;

-- What is made again before each read of a shuffle: what was released since the read before, and the way back to it. What is made
-- again is taken to stand where it stood, so that the next release takes it again.
CREATE TABLE next.again AS
WITH RECURSIVE seen AS (
    SELECT DISTINCT n.dataset, a.start_ms AS read_ms
    FROM world.need n
    JOIN world.dataset d ON d.dataset = n.dataset AND d.kind = 'shuffle'
    JOIN world.attempt a ON a.stage = n.stage AND a.stage_attempt = n.stage_attempt
),
read AS (
    SELECT s.dataset, s.read_ms, lag(s.read_ms, 1, r.start_ms) OVER (PARTITION BY s.dataset ORDER BY s.read_ms) AS after_ms
    FROM seen s CROSS JOIN world.rules r
),
taken AS (
    SELECT DISTINCT x.gone_ms, o.output, o.dataset, o.cost_ms
    FROM next.release x
    JOIN next.place k ON k.unit = x.unit
    CROSS JOIN world.rules e
    JOIN world.residence r ON r.holder = k.holder AND r.from_ms <= x.gone_ms AND x.gone_ms < coalesce(r.to_ms, e.end_ms)
    JOIN world.output o ON o.output = r.output
),
repair AS (
    SELECT d.dataset, d.read_ms, lag(d.read_ms, 1, r.start_ms) OVER (PARTITION BY d.dataset ORDER BY d.read_ms) AS after_ms
    FROM read d CROSS JOIN world.rules r
    WHERE EXISTS (SELECT 1 FROM taken t WHERE t.dataset = d.dataset AND d.after_ms <= t.gone_ms AND t.gone_ms < d.read_ms)
),
active AS (
    SELECT dataset, after_ms, read_ms FROM repair
    UNION
    SELECT i.input_dataset, a.after_ms, a.read_ms
    FROM active a
    JOIN world.input i ON i.dataset = a.dataset
    JOIN taken t ON t.dataset = i.input_dataset AND a.after_ms <= t.gone_ms AND t.gone_ms < a.read_ms
)
SELECT DISTINCT a.read_ms, t.output, t.cost_ms
FROM active a
JOIN taken t ON t.dataset = a.dataset AND a.after_ms <= t.gone_ms AND t.gone_ms < a.read_ms;

CREATE TABLE next.cost AS
WITH stranded AS (
    SELECT sum(cost_ms) AS slot_ms, sum(bytes) AS bytes
    FROM (
        SELECT DISTINCT h.output, h.cost_ms, h.bytes
        FROM next.release r JOIN next.held h ON h.unit = r.unit
            AND greatest(h.from_ms, h.stands_ms) <= r.gone_ms AND r.gone_ms < least(h.to_ms, h.gone_ms)
    )
),
saved AS (
    SELECT sum(coalesce(m.slots, 1) * (least(r.back_ms, m.to_ms) - r.gone_ms)) AS slot_ms
    FROM next.release r JOIN next.member m ON m.unit = r.unit AND m.from_ms < r.gone_ms AND r.gone_ms < m.to_ms
)
SELECT 'stranded' AS kind, coalesce(s.slot_ms, 0)::DOUBLE AS value, 'slot_ms' AS unit FROM stranded s
UNION ALL
SELECT 'redone', coalesce(sum(cost_ms), 0)::DOUBLE, 'slot_ms' FROM next.again
UNION ALL
SELECT 'not_paid_for', -coalesce(s.slot_ms, 0)::DOUBLE, 'slot_ms' FROM saved s;

CREATE TABLE next.note AS
SELECT count(*) || ' releases, ' || (SELECT count(DISTINCT h.output) FROM next.release r JOIN next.held h ON h.unit = r.unit
    AND greatest(h.from_ms, h.stands_ms) <= r.gone_ms AND r.gone_ms < least(h.to_ms, h.gone_ms)) || ' outputs that were still needed went with them' AS note
FROM next.release
HAVING count(*) > 0;
