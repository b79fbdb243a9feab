-- Purpose: Each machine becomes f machines, with its slots divided among them.
-- Policy:  smaller-machines
-- Parameter: f float = 2 from 0.02 to 64: machines that each one becomes; below 1, 1/f machines become one
-- Assumption: overhead size = 512MiB to 2GiB: memory that a machine needs for itself
-- Inputs:  world.worker, world.machine, world.attempt, world.output, world.holder, world.residence, world.lane, world.place
-- Rewrites: worker, machine, attempt, output, holder, residence
-- Costs:   memory that each machine needs for itself
-- Not for: machines of one slot, or a run whose machines are not known
-- Moves work: no
-- Unknown: memory that a machine needs for itself, and its price, which need not be one f-th
-- Caveat:  There are more machines, and each can be withdrawn: one withdrawal costs less, a run about as much.

-- Slots of a machine are numbered through its workers, by the place that each took. Slot g of t goes to part g * parts // t;
-- a worker whose slots go to several parts is divided with them. The coordinator's machine stays whole.
CREATE TABLE next.size AS
WITH used AS (
    SELECT a.worker, max(l.lane) + 1 AS lanes FROM world.attempt a JOIN world.lane l ON l.task = a.task GROUP BY a.worker
)
SELECT w.worker, w.machine, s.place, greatest(coalesce(w.slots, u.lanes, 1), 1) AS slots
FROM world.worker w
JOIN world.machine m ON m.machine = w.machine
JOIN world.place s ON s.worker = w.worker
LEFT JOIN used u ON u.worker = w.worker
WHERE NOT w.is_coordinator AND NOT m.is_coordinator;

CREATE TABLE next.seating AS
WITH place AS (
    SELECT machine, place, max(slots) AS slots FROM next.size GROUP BY machine, place
)
SELECT machine, place, coalesce(sum(slots) OVER (PARTITION BY machine ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::BIGINT AS first_slot,
    (sum(slots) OVER (PARTITION BY machine))::BIGINT AS total
FROM place;

CREATE TABLE next.share AS
WITH part AS (
    SELECT z.worker, z.machine, g.i AS lane, z.slots, t.total, CASE WHEN p.f >= 1 THEN least(floor(p.f)::BIGINT, t.total) ELSE 1 END AS parts, t.first_slot
    FROM next.size z
    JOIN next.seating t ON t.machine = z.machine AND t.place = z.place
    JOIN range(1024) g(i) ON g.i < z.slots
    CROSS JOIN param.value p
),
numbered AS (
    SELECT worker, machine, lane, slots, parts, (first_slot + lane) * parts // total AS part FROM part
),
group_name AS (
    SELECT machine, string_agg(machine, '+') OVER (PARTITION BY crew ORDER BY machine ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS name
    FROM (
        SELECT m.machine, (row_number() OVER (ORDER BY m.machine) - 1) // greatest(round(1 / p.f)::BIGINT, 1) AS crew
        FROM (SELECT DISTINCT machine FROM next.size) m CROSS JOIN param.value p
        WHERE p.f < 1
    )
)
SELECT n.worker, n.machine, n.lane, n.slots,
    CASE WHEN min(n.part) OVER w = max(n.part) OVER w THEN n.worker
        ELSE n.worker || '/' || (n.part - min(n.part) OVER w + 1) END AS new_worker,
    coalesce(g.name, CASE WHEN n.parts = 1 THEN n.machine ELSE n.machine || '/' || (n.part + 1) END) AS new_machine
FROM numbered n LEFT JOIN group_name g ON g.machine = n.machine
WINDOW w AS (PARTITION BY n.worker);

CREATE TABLE next.unfit AS
SELECT NULL::VARCHAR AS unit_kind, NULL::BIGINT AS removal,
    CASE
        WHEN NOT EXISTS (SELECT 1 FROM next.size) THEN 'the log does not say which machines the workers ran on'
        WHEN p.f > 1 THEN 'every machine has one slot, which cannot be divided'
        ELSE 'there is no second machine to join'
    END AS why
FROM param.value p
WHERE p.f <> 1 AND NOT EXISTS (SELECT 1 FROM next.share WHERE machine <> new_machine);

CREATE TABLE next.worker AS
SELECT coalesce(s.new_worker, w.worker) AS worker, coalesce(s.new_machine, w.machine) AS machine, w.is_coordinator,
    CASE WHEN s.new_worker = w.worker OR s.new_worker IS NULL THEN w.slots ELSE s.slots END AS slots, w.added_ms, w.removed_ms
FROM world.worker w
LEFT JOIN (SELECT worker, new_worker, any_value(new_machine) AS new_machine, count(*) AS slots FROM next.share GROUP BY worker, new_worker) s ON s.worker = w.worker
ORDER BY worker;

CREATE TABLE next.machine AS
SELECT m.machine, m.is_coordinator FROM world.machine m ANTI JOIN next.share s ON s.machine = m.machine
UNION ALL
SELECT DISTINCT new_machine, false FROM next.share
ORDER BY machine;

CREATE TABLE next.seat AS
SELECT a.task, s.new_worker, s.new_machine
FROM world.attempt a
JOIN world.lane l ON l.task = a.task
JOIN next.size z ON z.worker = a.worker
JOIN next.share s ON s.worker = a.worker AND s.lane = l.lane % z.slots;

CREATE TABLE next.attempt AS
SELECT a.* REPLACE (coalesce(s.new_worker, a.worker) AS worker, CASE WHEN a.machine IS NOT NULL THEN coalesce(s.new_machine, a.machine) END AS machine)
FROM world.attempt a LEFT JOIN next.seat s ON s.task = a.task
ORDER BY a.task;

-- where an output is when it stays with its task; one whose task is not known, or that another worker keeps, takes any part
CREATE TABLE next.spot AS
SELECT o.output, w.worker, coalesce(t.new_worker, s.new_worker) AS new_worker, coalesce(t.new_machine, s.new_machine) AS new_machine
FROM world.output o
JOIN (SELECT worker, any_value(slots) AS slots FROM next.share GROUP BY worker) w ON w.worker = o.worker
LEFT JOIN world.attempt a ON a.task = o.task AND a.worker = o.worker
LEFT JOIN next.seat t ON t.task = a.task
JOIN next.share s ON s.worker = o.worker AND s.lane = o.output % w.slots;

CREATE TABLE next.output AS
SELECT o.* REPLACE (coalesce(s.new_worker, o.worker) AS worker)
FROM world.output o LEFT JOIN next.spot s ON s.output = o.output
ORDER BY o.output;

CREATE TABLE next.split AS
SELECT h.holder, h.dies_with, h.service, s.new_worker, s.new_machine, s.lane,
    CASE WHEN s.new_worker = h.worker THEN h.holder WHEN h.holder = 'worker:' || h.worker THEN 'worker:' || s.new_worker ELSE h.holder || '@' || s.new_worker END AS new_holder
FROM world.holder h JOIN next.share s ON s.worker = h.worker
UNION ALL
SELECT h.holder, h.dies_with, h.service, NULL, s.new_machine, s.lane,
    CASE WHEN s.new_machine = h.machine THEN h.holder WHEN h.holder = 'machine:' || h.machine THEN 'machine:' || s.new_machine ELSE h.holder || '@' || s.new_machine END AS new_holder
FROM world.holder h
JOIN (SELECT machine, new_machine, min(worker || lane) AS lane_key, min(lane) AS lane FROM next.share GROUP BY machine, new_machine) s ON s.machine = h.machine
WHERE h.worker IS NULL;

CREATE TABLE next.holder AS
SELECT DISTINCT new_holder AS holder, dies_with, new_worker AS worker, new_machine AS machine, service FROM next.split
UNION ALL
SELECT h.holder, h.dies_with, h.worker, h.machine, h.service FROM world.holder h ANTI JOIN next.split s ON s.holder = h.holder
ORDER BY holder;

CREATE TABLE next.residence AS
WITH target AS (
    SELECT DISTINCT holder, new_holder, new_worker, new_machine FROM next.split
),
kept AS (
    SELECT r.output, r.holder, r.from_ms, t.new_holder,
        row_number() OVER (
            PARTITION BY r.output, r.holder, r.from_ms
            ORDER BY coalesce(t.new_worker = s.new_worker, t.new_worker IS NULL AND t.new_machine = s.new_machine, false) DESC, hash(r.output, t.new_holder), t.new_holder
        ) AS nth
    FROM world.residence r
    JOIN target t ON t.holder = r.holder
    LEFT JOIN next.spot s ON s.output = r.output
)
SELECT r.output, coalesce(k.new_holder, r.holder) AS holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known
FROM world.residence r
LEFT JOIN kept k ON k.output = r.output AND k.holder = r.holder AND k.from_ms = r.from_ms AND k.nth = 1
ORDER BY r.output, r.from_ms, holder;

CREATE TABLE next.heir AS
SELECT DISTINCT 'worker' AS unit_kind, worker AS unit, new_worker AS heir FROM next.share WHERE worker <> new_worker
UNION ALL
SELECT DISTINCT 'machine', machine, new_machine FROM next.share WHERE machine <> new_machine;

CREATE TABLE next.cost AS
SELECT 'machine_memory' AS kind, (p.overhead * (n.machines - o.machines))::DOUBLE AS value, 'bytes' AS unit
FROM param.value p
CROSS JOIN (SELECT count(*) AS machines FROM next.machine) n
CROSS JOIN (SELECT count(*) AS machines FROM world.machine) o
WHERE n.machines <> o.machines;

CREATE TABLE next.note AS
SELECT 'f = ' || p.f || CASE WHEN p.f >= 1 THEN ': taken as ' || floor(p.f)::BIGINT ELSE ': 1/f is taken as ' || round(1 / p.f)::BIGINT END AS note
FROM param.value p
WHERE (p.f >= 1 AND p.f <> floor(p.f)) OR (p.f < 1 AND abs(1 / p.f - round(1 / p.f)) > 0.02)
UNION ALL
SELECT count(DISTINCT worker) || ' workers are divided with their machine' FROM next.share WHERE worker <> new_worker HAVING count(*) > 0
UNION ALL
SELECT count(DISTINCT machine) || ' machines have slots that f does not divide: their parts differ by one slot'
FROM next.seating t CROSS JOIN param.value p
WHERE p.f >= 1 AND t.total % least(floor(p.f)::BIGINT, t.total) <> 0
HAVING count(*) > 0;
