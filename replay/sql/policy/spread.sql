-- Purpose: The outputs of each complete stage stand as evenly on the machines as the sizes of its pieces allow.
-- Policy:  spread
-- Parameter: by choice = time of time, bytes: what is made even: the slot time that the outputs took, or their bytes
-- Inputs:  world.worker, world.dataset, world.output, world.holder, world.residence
-- Rewrites: residence
-- Costs:   outputs that are made on one machine and kept on another
-- Not for: a run on one machine
-- Moves work: no
-- Unknown: how much of the work that reads an output on its own machine would read it over the network
-- Caveat:  It bounds the worst machine, not the mean: what one machine holds less, another holds more.

-- where each complete shuffle stands, and the machines that are there from its first output to its last
CREATE TABLE next.whole AS
SELECT o.dataset, min(o.made_ms) AS first_ms, max(o.made_ms) AS last_ms
FROM world.output o JOIN world.dataset d ON d.dataset = o.dataset
WHERE d.kind = 'shuffle'
GROUP BY o.dataset
HAVING count(*) = max(d.partitions) AND count(DISTINCT o.partition) = max(d.partitions);

CREATE TABLE next.place AS
SELECT k.holder, w.worker, w.machine, p.by
FROM world.holder k JOIN world.worker w ON w.worker = k.worker CROSS JOIN param.value p
WHERE k.dies_with = 'worker' AND w.machine IS NOT NULL AND NOT w.is_coordinator;

CREATE TABLE next.home AS
WITH alone AS (
    SELECT output, any_value(holder) AS holder, any_value(from_ms) AS from_ms FROM world.residence GROUP BY output HAVING count(*) = 1
)
SELECT s.output, s.holder, s.from_ms, o.dataset, k.worker, k.machine, h.first_ms, h.last_ms,
    CASE k.by WHEN 'bytes' THEN coalesce(o.bytes, 0) ELSE o.cost_ms END AS size, coalesce(o.bytes, 0) AS bytes
FROM alone s
JOIN world.output o ON o.output = s.output
JOIN next.whole h ON h.dataset = o.dataset
JOIN next.place k ON k.holder = s.holder;

CREATE TABLE next.room AS
WITH span AS (
    SELECT DISTINCT dataset, first_ms, last_ms FROM next.home
),
seat AS (
    SELECT s.dataset, w.machine, w.worker
    FROM span s JOIN (
        SELECT * FROM world.worker SEMI JOIN next.place USING (worker) -- a worker without a holder has no room
    ) w
        ON NOT w.is_coordinator AND w.machine IS NOT NULL
        AND coalesce(w.added_ms, 0) <= s.first_ms AND s.last_ms < coalesce(w.removed_ms, 9223372036854775807)
),
held AS (
    SELECT dataset, machine, sum(size) AS size FROM next.home GROUP BY dataset, machine
)
SELECT s.dataset, s.machine, list(s.worker ORDER BY s.worker) AS workers,
    row_number() OVER (PARTITION BY s.dataset ORDER BY coalesce(any_value(h.size), 0) DESC, s.machine) - 1 AS place,
    count(*) OVER (PARTITION BY s.dataset) AS machines
FROM seat s LEFT JOIN held h ON h.dataset = s.dataset AND h.machine = s.machine
GROUP BY s.dataset, s.machine;

CREATE TABLE next.unfit AS
SELECT NULL::VARCHAR AS unit_kind, NULL::BIGINT AS removal,
    CASE
        WHEN (SELECT count(DISTINCT machine) FROM world.worker WHERE NOT is_coordinator) < 2 THEN 'there is no second machine to spread over'
        ELSE 'no complete stage has its outputs with workers'
    END AS why
WHERE (SELECT coalesce(max(machines), 0) FROM next.room) < 2;

-- Pieces in order of size go round the machines, to and fro, so that two machines differ by one piece at most.
CREATE TABLE next.dealt AS
WITH turn AS (
    SELECT h.*, row_number() OVER (PARTITION BY h.dataset ORDER BY h.size DESC, h.output) - 1 AS nth
    FROM next.home h SEMI JOIN next.room r ON r.dataset = h.dataset
),
numbered AS (
    SELECT t.*, (t.nth // m.machines) AS round,
        CASE WHEN (t.nth // m.machines) % 2 = 0 THEN t.nth % m.machines ELSE m.machines - 1 - t.nth % m.machines END AS place
    FROM turn t JOIN (SELECT dataset, any_value(machines) AS machines FROM next.room GROUP BY dataset) m ON m.dataset = t.dataset
)
SELECT n.output, n.holder, n.from_ms, n.dataset, n.size, n.bytes, n.machine AS old_machine, r.machine,
    CASE WHEN r.machine = n.machine THEN n.worker ELSE r.workers[1 + n.round % len(r.workers)] END AS worker
FROM numbered n JOIN next.room r ON r.dataset = n.dataset AND r.place = n.place;

-- What is not dealt, since it has several copies, or stands on the coordinator's machine, stays and counts.
-- As tables of their own: in one query they were joined to a product of machines and outputs.
CREATE TABLE next.undealt AS
SELECT s.output, s.holder FROM world.residence s ANTI JOIN next.dealt d ON d.output = s.output;

CREATE TABLE next.keeper AS
SELECT k.holder, w.machine, p.by
FROM world.holder k JOIN world.worker w ON w.worker = k.worker CROSS JOIN param.value p
WHERE k.dies_with = 'worker';

CREATE TABLE next.fixed AS
SELECT o.dataset, k.machine, CASE k.by WHEN 'bytes' THEN coalesce(o.bytes, 0) ELSE o.cost_ms END AS size
FROM next.undealt s
JOIN next.keeper k ON k.holder = s.holder
JOIN world.output o ON o.output = s.output
SEMI JOIN next.whole h ON h.dataset = o.dataset;

-- only where the largest share of a machine falls
CREATE TABLE next.better AS
WITH was AS (
    SELECT dataset, old_machine AS machine, size FROM next.dealt UNION ALL SELECT dataset, machine, size FROM next.fixed
),
is_now AS (
    SELECT dataset, machine, size FROM next.dealt UNION ALL SELECT dataset, machine, size FROM next.fixed
),
was_worst AS (
    SELECT dataset, max(size) AS worst FROM (SELECT dataset, machine, sum(size) AS size FROM was GROUP BY dataset, machine) GROUP BY dataset
),
now_worst AS (
    SELECT dataset, max(size) AS worst FROM (SELECT dataset, machine, sum(size) AS size FROM is_now GROUP BY dataset, machine) GROUP BY dataset
)
SELECT w.dataset FROM was_worst w JOIN now_worst n ON n.dataset = w.dataset WHERE n.worst < w.worst;

CREATE TABLE next.moved AS
SELECT d.output, d.holder, d.from_ms, h.holder AS new_holder, d.bytes
FROM next.dealt d
SEMI JOIN next.better b ON b.dataset = d.dataset
JOIN world.holder h ON h.worker = d.worker AND h.dies_with = 'worker'
WHERE d.machine <> d.old_machine;

CREATE TABLE next.residence AS
SELECT r.output, coalesce(m.new_holder, r.holder) AS holder, r.from_ms,
    CASE WHEN m.output IS NULL OR r.removal IS NULL THEN r.to_ms ELSE w.removed_ms END AS to_ms,
    CASE WHEN m.output IS NULL OR r.removal IS NULL THEN r.end_reason WHEN w.removed_ms IS NOT NULL THEN 'worker_removed' END AS end_reason,
    CASE WHEN m.output IS NULL THEN r.removal END AS removal,
    r.known
FROM world.residence r
LEFT JOIN next.moved m ON m.output = r.output AND m.holder = r.holder AND m.from_ms = r.from_ms
LEFT JOIN world.holder h ON h.holder = m.new_holder
LEFT JOIN world.worker w ON w.worker = h.worker
ORDER BY r.output, r.from_ms, holder;

CREATE TABLE next.cost AS
SELECT 'kept_elsewhere' AS kind, coalesce(sum(bytes), 0)::DOUBLE AS value, 'bytes' AS unit FROM next.moved;

CREATE TABLE next.note AS
SELECT count(*) || ' of ' || (SELECT count(DISTINCT dataset) FROM next.home) || ' complete stages were as even already' AS note
FROM (SELECT DISTINCT dataset FROM next.home) h ANTI JOIN next.better b ON b.dataset = h.dataset
HAVING count(*) > 0;
