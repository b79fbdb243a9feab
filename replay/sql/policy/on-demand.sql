-- Purpose: A share of the machines is bought so that it cannot be withdrawn.
-- Policy:  on-demand
-- Parameter: share float = 0.25 from 0 to 1: of the machines, rounded up
-- Parameter: outputs choice = as-run of as-run, all, costliest: which outputs live on them: those made there, every output,
--          or, of the others, those that cost most slot time a byte to redo until the share of the bytes is reached
-- Inputs:  world.worker, world.machine, world.rules, world.output, world.holder, world.residence
-- Rewrites: machine, holder, residence
-- Costs:   the price difference of these machines; for all and costliest, outputs sent there over the network
-- Not for: a run whose machines are not known
-- Moves work: no
-- Unknown: whether the machines that are kept would hold all those bytes
-- Caveat:  The machines that can still be withdrawn lose what they lost before, unless their outputs live elsewhere.

CREATE TABLE next.bought AS
WITH life AS (
    SELECT w.machine, min(coalesce(w.added_ms, r.start_ms)) AS from_ms, max(coalesce(w.removed_ms, r.end_ms)) AS to_ms
    FROM world.worker w
    CROSS JOIN world.rules r
    LEFT JOIN world.machine m ON m.machine = w.machine
    WHERE NOT w.is_coordinator AND w.machine IS NOT NULL AND NOT coalesce(m.is_coordinator, false)
    GROUP BY w.machine
),
ranked AS (
    SELECT machine, from_ms, to_ms, row_number() OVER (ORDER BY machine) AS nth, count(*) OVER () AS machines FROM life
)
SELECT r.machine, r.from_ms, r.to_ms, r.nth - 1 AS place, ceil(p.share * r.machines - 0.000001)::BIGINT AS bought
FROM ranked r CROSS JOIN param.value p
WHERE r.nth <= ceil(p.share * r.machines - 0.000001);

CREATE TABLE next.unfit AS
SELECT NULL::VARCHAR AS unit_kind, NULL::BIGINT AS removal, 'the log does not say which machines the workers ran on' AS why
WHERE NOT EXISTS (SELECT 1 FROM world.worker WHERE NOT is_coordinator AND machine IS NOT NULL)
UNION ALL
SELECT 'worker', NULL, 'a worker can exit on a machine that is kept'
FROM param.value p
WHERE p.outputs = 'as-run' AND p.share > 0;

-- A machine that cannot be withdrawn is, like the coordinator's, in no mean.
CREATE TABLE next.machine AS
SELECT m.machine, m.is_coordinator OR b.machine IS NOT NULL AS is_coordinator
FROM world.machine m LEFT JOIN next.bought b ON b.machine = m.machine
ORDER BY m.machine;

CREATE TABLE next.sent AS
WITH home AS (
    SELECT r.output, r.holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known, o.bytes, o.cost_ms,
        coalesce(h.machine, w.machine) IN (SELECT machine FROM next.bought) AS is_there
    FROM world.residence r
    JOIN world.output o ON o.output = r.output
    JOIN world.holder h ON h.holder = r.holder
    LEFT JOIN world.worker w ON w.worker = h.worker
    WHERE h.dies_with IN ('worker', 'machine') AND NOT coalesce(w.is_coordinator, false)
),
ranked AS (
    SELECT h.*,
        sum(coalesce(h.bytes, 0)) OVER (ORDER BY h.cost_ms / greatest(coalesce(h.bytes, 1), 1) DESC, h.output, h.holder ROWS UNBOUNDED PRECEDING) AS so_far,
        sum(coalesce(h.bytes, 0)) OVER () AS total
    FROM home h
    WHERE NOT h.is_there
),
chosen AS (
    SELECT r.output, r.holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known, r.bytes
    FROM ranked r CROSS JOIN param.value p
    WHERE p.outputs = 'all' OR (p.outputs = 'costliest' AND r.so_far <= p.share * r.total)
)
SELECT c.output, c.holder, c.from_ms, c.to_ms, c.end_reason, c.removal, c.known, c.bytes, b.machine
FROM chosen c
JOIN next.bought b ON b.place = c.output % b.bought;

CREATE TABLE next.holder AS
SELECT holder, dies_with, worker, machine, service FROM world.holder
UNION ALL
SELECT DISTINCT 'machine:' || s.machine, 'machine', NULL, s.machine, NULL
FROM next.sent s ANTI JOIN world.holder h ON h.holder = 'machine:' || s.machine
ORDER BY holder;

CREATE TABLE next.residence AS
SELECT r.output, r.holder, r.from_ms, r.to_ms, r.end_reason, r.removal, r.known
FROM world.residence r ANTI JOIN next.sent s ON s.output = r.output AND s.holder = r.holder AND s.from_ms = r.from_ms
UNION ALL
SELECT output, 'machine:' || machine, from_ms, CASE WHEN removal IS NULL THEN to_ms END, CASE WHEN removal IS NULL THEN end_reason END, NULL, known
FROM next.sent
QUALIFY row_number() OVER (PARTITION BY output, machine, from_ms ORDER BY holder) = 1
ORDER BY output, from_ms, holder;

CREATE TABLE next.cost AS
SELECT 'on_demand_machines' AS kind, coalesce(sum(to_ms - from_ms), 0)::DOUBLE AS value, 'machine_ms' AS unit
FROM next.bought
HAVING count(*) > 0
UNION ALL
SELECT 'sent_over_network', coalesce(sum(bytes), 0)::DOUBLE, 'bytes' FROM next.sent HAVING count(*) > 0;

CREATE TABLE next.note AS
SELECT 'every machine is kept: none can be withdrawn' AS note
FROM param.value p
WHERE p.share > 0 AND NOT EXISTS (
    SELECT 1 FROM world.worker w JOIN next.machine m ON m.machine = w.machine WHERE NOT w.is_coordinator AND NOT m.is_coordinator
);
