-- Purpose: Each worker becomes f workers on the same machine, with its slots divided among them.
-- Policy:  smaller-workers
-- Parameter: f float = 2 from 0.02 to 64: workers that each one becomes; below 1, 1/f workers of a machine become one
-- Assumption: overhead size = 384MiB to 1GiB: memory that a process needs beside its tasks
-- Inputs:  world.worker, world.attempt, world.output, world.holder, world.residence, world.lane, world.place
-- Rewrites: worker, attempt, output, holder, residence
-- Costs:   memory of the processes that are added
-- Not for: workers of one slot; machines of one worker, if they shall become larger
-- Moves work: no
-- Unknown: memory that a process needs beside its tasks, and what tasks of one process share (broadcasts, compiled code)
-- Caveat:  There are more processes, and each can exit: one exit costs less, a run about as much. A withdrawn machine takes them all.
-- Checked: 30 real losses of runs in another shape: off by 6 % of the redone slot time in the median (docs/policies.md)

-- A task stays on the slot lane that it ran on (lane: the lowest that was free). Lane l of s goes to part l * parts // s.
CREATE TABLE next.size AS
WITH used AS (
    SELECT a.worker, max(l.lane) + 1 AS lanes FROM world.attempt a JOIN world.lane l ON l.task = a.task GROUP BY a.worker
),
sized AS (
    SELECT w.worker, w.machine, w.is_coordinator, w.added_ms, w.removed_ms, s.place,
        greatest(coalesce(w.slots, u.lanes, 1), 1) AS slots, w.slots IS NULL AS is_guessed
    FROM world.worker w
    LEFT JOIN used u ON u.worker = w.worker
    LEFT JOIN world.place s ON s.worker = w.worker
)
SELECT s.worker, s.machine, s.added_ms, s.removed_ms, s.place, s.slots, s.is_guessed,
    CASE WHEN s.is_coordinator OR p.f < 1 THEN 1 ELSE least(floor(p.f)::BIGINT, s.slots) END AS parts,
    CASE WHEN s.is_coordinator OR p.f >= 1 OR s.machine IS NULL THEN 1 ELSE round(1 / p.f)::BIGINT END AS joined
FROM sized s CROSS JOIN param.value p;

-- which worker takes the lanes from first_lane up to the next row's
CREATE TABLE next.share AS
WITH part AS (
    SELECT s.worker, r.i AS part, (r.i * s.slots + s.parts - 1) // s.parts AS first_lane, ((r.i + 1) * s.slots + s.parts - 1) // s.parts AS next_lane,
        CASE WHEN s.parts = 1 THEN s.worker ELSE s.worker || '/' || (r.i + 1) END AS new_worker
    FROM next.size s JOIN range(64) r(i) ON r.i < s.parts
    WHERE s.joined = 1
),
crew AS (
    SELECT machine, place // joined AS crew, string_agg(worker, '+' ORDER BY place, added_ms, worker) AS new_worker
    FROM next.size
    WHERE joined > 1
    GROUP BY machine, place // joined
)
SELECT worker, part, first_lane, next_lane - first_lane AS slots, new_worker FROM part
UNION ALL
SELECT s.worker, 0, 0, s.slots, c.new_worker
FROM next.size s JOIN crew c ON s.joined > 1 AND c.machine = s.machine AND c.crew = s.place // s.joined;

CREATE TABLE next.unfit AS
SELECT NULL::VARCHAR AS unit_kind, NULL::BIGINT AS removal,
    CASE WHEN p.f > 1 THEN 'every worker has one slot, which cannot be divided' ELSE 'no machine has a second worker to join' END AS why
FROM param.value p
WHERE p.f <> 1 AND NOT EXISTS (SELECT 1 FROM next.share s WHERE s.worker <> s.new_worker);

CREATE TABLE next.worker AS
WITH place_slots AS (
    SELECT s.new_worker, z.place, max(s.slots) AS slots FROM next.share s JOIN next.size z ON z.worker = s.worker GROUP BY s.new_worker, z.place
),
total AS (
    SELECT new_worker, sum(slots)::BIGINT AS slots FROM place_slots GROUP BY new_worker
)
SELECT s.new_worker AS worker, any_value(w.machine) AS machine, bool_or(w.is_coordinator) AS is_coordinator,
    CASE WHEN any_value(z.is_guessed) AND any_value(z.parts) = 1 THEN any_value(w.slots) ELSE any_value(t.slots) END AS slots,
    CASE WHEN count(*) = count(w.added_ms) THEN min(w.added_ms) END AS added_ms,
    CASE WHEN count(*) = count(w.removed_ms) THEN max(w.removed_ms) END AS removed_ms
FROM next.share s
JOIN world.worker w ON w.worker = s.worker
JOIN next.size z ON z.worker = s.worker
JOIN total t ON t.new_worker = s.new_worker
GROUP BY s.new_worker
ORDER BY worker;

-- the part of the lane that a task ran on; more lanes than slots go round
CREATE TABLE next.seat AS
SELECT a.task, s.new_worker
FROM world.attempt a
JOIN world.lane l ON l.task = a.task
JOIN next.size z ON z.worker = a.worker
JOIN next.share s ON s.worker = a.worker AND s.part = (l.lane % z.slots) * z.parts // z.slots;

CREATE TABLE next.attempt AS
SELECT a.* REPLACE (coalesce(s.new_worker, a.worker) AS worker)
FROM world.attempt a LEFT JOIN next.seat s ON s.task = a.task
ORDER BY a.task;

CREATE TABLE next.output AS
SELECT o.* REPLACE (coalesce(t.new_worker, s.new_worker, o.worker) AS worker)
FROM world.output o
LEFT JOIN world.attempt a ON a.task = o.task AND a.worker = o.worker
LEFT JOIN next.seat t ON t.task = a.task
LEFT JOIN next.size z ON z.worker = o.worker
LEFT JOIN next.share s ON s.worker = o.worker AND s.part = o.output % z.parts
ORDER BY o.output;

CREATE TABLE next.split AS
SELECT h.holder, h.dies_with, h.worker, h.machine, h.service, s.part, s.new_worker,
    CASE
        WHEN s.new_worker = h.worker THEN h.holder
        WHEN h.holder = 'worker:' || h.worker THEN 'worker:' || s.new_worker
        ELSE h.holder || '@' || s.new_worker
    END AS new_holder
FROM world.holder h JOIN next.share s ON s.worker = h.worker;

CREATE TABLE next.holder AS
SELECT DISTINCT new_holder AS holder, dies_with, new_worker AS worker, machine, service FROM next.split
UNION ALL
SELECT h.holder, h.dies_with, h.worker, h.machine, h.service FROM world.holder h ANTI JOIN next.split s ON s.holder = h.holder
ORDER BY holder;

-- a copy stays with the part that made it; one that another worker made goes to any
CREATE TABLE next.residence AS
SELECT r.output, coalesce(k.new_holder, r.holder) AS holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known
FROM world.residence r
JOIN world.output o ON o.output = r.output
JOIN next.output n ON n.output = r.output
LEFT JOIN world.holder h ON h.holder = r.holder
LEFT JOIN next.size z ON z.worker = h.worker
LEFT JOIN next.share s ON s.worker = h.worker AND CASE WHEN o.worker = h.worker THEN s.new_worker = n.worker ELSE s.part = r.output % z.parts END
LEFT JOIN next.split k ON k.holder = r.holder AND k.part = s.part
ORDER BY r.output, r.from_ms, holder;

CREATE TABLE next.heir AS
SELECT 'worker' AS unit_kind, worker AS unit, new_worker AS heir FROM next.share WHERE worker <> new_worker;

CREATE TABLE next.cost AS
SELECT 'process_memory' AS kind, (p.overhead * (n.workers - o.workers))::DOUBLE AS value, 'bytes' AS unit
FROM param.value p
CROSS JOIN (SELECT count(*) AS workers FROM next.worker) n
CROSS JOIN (SELECT count(*) AS workers FROM world.worker) o
WHERE n.workers <> o.workers;

CREATE TABLE next.note AS
SELECT 'f = ' || p.f || CASE WHEN p.f >= 1 THEN ': taken as ' || floor(p.f)::BIGINT ELSE ': 1/f is taken as ' || round(1 / p.f)::BIGINT END AS note
FROM param.value p
WHERE (p.f >= 1 AND p.f <> floor(p.f)) OR (p.f < 1 AND abs(1 / p.f - round(1 / p.f)) > 0.02)
UNION ALL
SELECT count(*) || ' workers have fewer slots than f: they become workers of one slot'
FROM next.size z CROSS JOIN param.value p
WHERE p.f >= 1 AND z.parts < floor(p.f) AND z.parts > 1
HAVING count(*) > 0
UNION ALL
SELECT count(*) || ' workers have slots that f does not divide: their parts differ by one slot'
FROM next.size z WHERE z.slots % z.parts <> 0 HAVING count(*) > 0;
