-- Purpose: Every output has n copies, each on another machine.
-- Policy:  replicate
-- Parameter: n int = 2 from 1 to 10: copies, the first included
-- Inputs:  world.worker, world.output, world.holder, world.residence
-- Rewrites: holder, residence
-- Costs:   all bytes written n - 1 times more, over the network
-- Not for: a run on one machine
-- Moves work: no
-- Unknown: how much longer a task takes that waits for its copies
-- Caveat:  The bytes are paid for all the time, the slot time that they save comes back only when a machine is lost.

-- while a machine of the cluster is there, and its place in the ring
CREATE TABLE next.ring AS
WITH life AS (
    SELECT w.machine, min(w.added_ms) AS from_ms, max(coalesce(w.removed_ms, 9223372036854775807)) AS to_ms
    FROM world.worker w
    WHERE NOT w.is_coordinator AND w.machine IS NOT NULL
    GROUP BY w.machine
)
SELECT machine, from_ms, to_ms, row_number() OVER (ORDER BY machine) - 1 AS place, count(*) OVER () AS machines
FROM life;

CREATE TABLE next.unfit AS
SELECT NULL::VARCHAR AS unit_kind, NULL::BIGINT AS removal, 'there is no second machine to keep a copy on' AS why
WHERE (SELECT count(*) FROM next.ring) < 2;

-- where an output stands first
CREATE TABLE next.made AS
WITH home AS (
    SELECT h.holder, g.place AS home, g.machines
    FROM world.holder h
    LEFT JOIN world.worker w ON w.worker = h.worker
    JOIN next.ring g ON g.machine = coalesce(h.machine, w.machine)
    WHERE h.dies_with IN ('worker', 'machine')
),
standing AS (
    SELECT r.output, r.holder, r.from_ms, r.known, h.home, h.machines,
        CASE WHEN r.removal IS NULL AND r.end_reason IS DISTINCT FROM 'fetch_failed' THEN r.to_ms END AS dropped_ms
    FROM world.residence r JOIN home h ON h.holder = r.holder
),
first AS (
    SELECT output, min((from_ms, holder)) AS at FROM standing GROUP BY output
)
SELECT s.output, s.from_ms, s.known, s.home, s.machines, s.dropped_ms, o.bytes
FROM standing s
JOIN first f ON f.output = s.output AND f.at = (s.from_ms, s.holder)
JOIN world.output o ON o.output = s.output;

-- Further copies stand on the machines that follow the output's own, from a start that differs by output, so that they
-- spread; machines that are not there when it is made are passed over. So n copies stand where n - 1 would, and on one more.
CREATE TABLE next.straight AS
WITH candidate AS (
    SELECT m.output, k.i AS nth, (m.home + 1 + (m.output + k.i) % (m.machines - 1)) % m.machines AS place, m.from_ms
    FROM next.made m
    CROSS JOIN param.value p
    JOIN range(9) k(i) ON k.i < least(p.n, m.machines) - 1
    WHERE m.machines > 1
)
SELECT c.output, c.nth, g.machine, g.to_ms AS gone_ms, g.from_ms <= c.from_ms AND c.from_ms < g.to_ms AS is_there
FROM candidate c JOIN next.ring g ON g.place = c.place;

CREATE TABLE next.around AS
WITH short AS (
    SELECT m.* FROM next.made m SEMI JOIN (SELECT output FROM next.straight WHERE NOT is_there) s ON s.output = m.output
),
other AS (
    SELECT s.output, g.machine, g.to_ms AS gone_ms,
        row_number() OVER (PARTITION BY s.output ORDER BY ((g.place - s.home - 1 + s.machines) % s.machines - s.output % (s.machines - 1) + s.machines - 1) % (s.machines - 1)) AS nth
    FROM short s JOIN next.ring g ON g.place <> s.home AND g.from_ms <= s.from_ms AND s.from_ms < g.to_ms
)
SELECT o.output, o.machine, o.gone_ms FROM other o CROSS JOIN param.value p WHERE o.nth < p.n;

CREATE TABLE next.copy AS
WITH chosen AS (
    SELECT s.output, s.machine, s.gone_ms FROM next.straight s ANTI JOIN (SELECT output FROM next.straight WHERE NOT is_there) x ON x.output = s.output
    UNION ALL
    SELECT output, machine, gone_ms FROM next.around
)
SELECT c.output, c.machine, m.from_ms, least(coalesce(m.dropped_ms, 9223372036854775807), c.gone_ms) AS to_ms, m.known, m.bytes
FROM chosen c JOIN next.made m ON m.output = c.output;

CREATE TABLE next.holder AS
SELECT holder, dies_with, worker, machine, service FROM world.holder
UNION ALL
SELECT DISTINCT 'machine:' || c.machine, 'machine', NULL, c.machine, NULL
FROM next.copy c ANTI JOIN world.holder h ON h.holder = 'machine:' || c.machine
ORDER BY holder;

CREATE TABLE next.residence AS
WITH every AS (
    SELECT output, holder, from_ms, to_ms, end_reason, removal, known FROM world.residence
    UNION ALL
    SELECT c.output, 'machine:' || c.machine, c.from_ms, CASE WHEN c.to_ms < 9223372036854775807 THEN c.to_ms END, NULL, NULL, c.known
    FROM next.copy c
    ANTI JOIN world.residence r ON r.output = c.output AND r.holder = 'machine:' || c.machine
)
SELECT output, holder, from_ms, to_ms, end_reason, removal, known FROM every ORDER BY output, from_ms, holder;

CREATE TABLE next.cost AS
SELECT 'copies_over_network' AS kind, coalesce(sum(bytes), 0)::DOUBLE AS value, 'bytes' AS unit
FROM next.copy
HAVING (SELECT n FROM param.value) > 1;

CREATE TABLE next.note AS
SELECT 'there are ' || g.machines || ' machines, so no more than ' || g.machines || ' copies' AS note
FROM (SELECT count(*) AS machines FROM next.ring) g CROSS JOIN param.value p
WHERE g.machines < p.n
UNION ALL
SELECT count(*) || ' outputs of unknown size are not in the bytes' FROM next.copy WHERE bytes IS NULL HAVING count(*) > 0;
