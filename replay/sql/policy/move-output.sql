-- Purpose: When notice is given of a removal, outputs that are still needed are copied off before it, best first.
-- Policy:  move-output
-- Parameter: notice duration = 2m from 0s to 24h: time from the notice to the removal
-- Parameter: bandwidth size = 100MiB from 1B to 100GiB: a second, that the unit can send
-- Parameter: unit choice = machine of machine, worker: what notice is given of
-- Inputs:  world.rules, world.worker, world.need, world.output, world.holder, world.residence, world.removal
-- Rewrites: holder, residence
-- Costs:   bytes moved with each removal, and those of them that nobody needs any more when it comes
-- Not for: a removal without notice
-- Moves work: no
-- Unknown: what else uses the network in those seconds
-- Caveat:  What does not fit into notice x bandwidth dies, and so does all work in flight: tasks go on starting there (drain stops that).
-- Checked: 5 real decommissions with block migration: nothing redone, 0.0 to 0.6 s predicted (docs/policies.md)

-- Best first: most slot time to redo for a byte. An output is safe when the unit goes at t if it and the better ones, of all that
-- was needed at some time within the notice, fit into bandwidth x notice, and into bandwidth x what has passed since it was made.
-- For each unit the order is worked out between the instants at which something comes, or stops being needed: all of them up to
-- 50, and from there 50 of them, so that what comes between two of them stands in one queue.
CREATE TABLE next.budget AS
SELECT p.notice AS notice_ms, floor(p.bandwidth::DOUBLE * p.notice / 1000)::BIGINT AS bytes, p.bandwidth / 1000.0 AS bytes_per_ms FROM param.value p;

-- units have numbers: there are many rows for each
CREATE TABLE next.unit_of AS
WITH named AS (
    SELECT h.holder, CASE p.unit WHEN 'machine' THEN coalesce(h.machine, w.machine) ELSE h.worker END AS unit
    FROM world.holder h
    LEFT JOIN world.worker w ON w.worker = h.worker
    CROSS JOIN param.value p
    WHERE NOT coalesce(w.is_coordinator, false) AND (h.dies_with = 'worker' OR (h.dies_with = 'machine' AND p.unit = 'machine'))
)
SELECT holder, dense_rank() OVER (ORDER BY unit) AS unit FROM named WHERE unit IS NOT NULL;

-- an output while it stands on a unit and is needed
CREATE TABLE next.stand AS
WITH span AS (
    SELECT n.dataset, coalesce(n.from_ms, r.start_ms) AS from_ms, max(n.until_ms) AS to_ms
    FROM world.need n CROSS JOIN world.rules r
    GROUP BY ALL
)
SELECT r.output, u.unit, r.holder, r.known, greatest(r.from_ms, s.from_ms) AS from_ms, least(coalesce(r.to_ms, e.end_ms), s.to_ms) AS to_ms,
    coalesce(o.bytes, 0) AS bytes, o.cost_ms / greatest(coalesce(o.bytes, 0), 1) AS worth
FROM world.residence r
JOIN next.unit_of u ON u.holder = r.holder
JOIN world.output o ON o.output = r.output
JOIN span s ON s.dataset = o.dataset
CROSS JOIN world.rules e
WHERE greatest(r.from_ms, s.from_ms) < least(coalesce(r.to_ms, e.end_ms), s.to_ms);

CREATE TABLE next.instant AS
WITH event AS (
    SELECT unit, from_ms AS at_ms FROM next.stand
    UNION
    SELECT unit, to_ms AS at_ms FROM next.stand
    UNION
    SELECT s.unit, s.to_ms + b.notice_ms AS at_ms FROM next.stand s CROSS JOIN next.budget b CROSS JOIN world.rules r WHERE s.to_ms + b.notice_ms < r.end_ms
),
ranked AS (
    SELECT unit, at_ms, row_number() OVER (PARTITION BY unit ORDER BY at_ms) - 1 AS nth, count(*) OVER (PARTITION BY unit) AS events FROM event
),
thinned AS (
    SELECT unit, at_ms FROM ranked WHERE nth % ((events + 49) // 50) = 0 OR nth = events - 1
)
SELECT unit, at_ms, lead(at_ms) OVER (PARTITION BY unit ORDER BY at_ms) AS next_ms FROM thinned;

CREATE TABLE next.queued AS
SELECT row_number() OVER (ORDER BY s.worth DESC, s.output, s.unit, s.from_ms, s.holder) AS place, s.unit, s.output, s.known, s.bytes, s.from_ms, s.to_ms,
    s.to_ms + b.notice_ms AS left_ms
FROM next.stand s CROSS JOIN next.budget b
WHERE b.notice_ms > 0;

-- what would be moved when the unit goes between at_ms and next_ms; of it, what is still needed then
CREATE TABLE next.chosen AS
WITH here AS (
    SELECT i.at_ms, i.next_ms, s.place, sum(s.bytes) OVER (PARTITION BY i.unit, i.at_ms ORDER BY s.place ROWS UNBOUNDED PRECEDING) AS so_far
    FROM next.instant i
    JOIN next.queued s ON s.unit = i.unit AND s.from_ms < i.next_ms AND i.at_ms < s.left_ms
)
SELECT s.unit, s.output, s.known, s.bytes, greatest(h.at_ms, s.from_ms + ceil(h.so_far / b.bytes_per_ms)::BIGINT) AS at_ms, h.next_ms, s.to_ms AS needed_ms
FROM here h
JOIN next.queued s ON s.place = h.place
CROSS JOIN next.budget b
WHERE h.so_far <= b.bytes AND s.from_ms + ceil(h.so_far / b.bytes_per_ms)::BIGINT < h.next_ms;

CREATE TABLE next.safe AS
WITH needed AS (
    SELECT unit, output, known, at_ms AS from_ms, least(next_ms, needed_ms) AS to_ms,
        lag(least(next_ms, needed_ms)) OVER (PARTITION BY unit, output ORDER BY at_ms) AS last_ms
    FROM next.chosen
    WHERE at_ms < needed_ms
),
island AS (
    SELECT unit, output, known, from_ms, to_ms, sum(CASE WHEN last_ms = from_ms THEN 0 ELSE 1 END) OVER (PARTITION BY unit, output ORDER BY from_ms) AS island
    FROM needed
)
SELECT output, any_value(known) AS known, min(from_ms) AS from_ms, max(to_ms) AS to_ms
FROM island
GROUP BY unit, output, island;

CREATE TABLE next.unfit AS
SELECT NULL::VARCHAR AS unit_kind, NULL::BIGINT AS removal, 'no output that is needed stands on a ' || p.unit AS why
FROM param.value p
WHERE NOT EXISTS (SELECT 1 FROM next.stand)
UNION ALL
SELECT k.kind, NULL, CASE k.kind WHEN 'worker' THEN 'a worker that exits gives no notice' WHEN 'machine' THEN 'notice is given of workers, not of machines' ELSE 'a service gives no notice' END
FROM param.value p CROSS JOIN (VALUES ('worker'), ('machine'), ('service')) k(kind)
WHERE k.kind <> p.unit
UNION ALL
SELECT NULL, r.removal, 'an exit gives no notice'
FROM world.removal r CROSS JOIN param.value p
WHERE r.kind IN ('exit', 'unknown') AND p.unit = 'machine';

CREATE TABLE next.holder AS
SELECT holder, dies_with, worker, machine, service FROM world.holder
UNION ALL
SELECT 'moved', 'never', NULL, NULL, NULL
WHERE EXISTS (SELECT 1 FROM next.safe) AND NOT EXISTS (SELECT 1 FROM world.holder WHERE holder = 'moved')
ORDER BY holder;

-- Only while it also stands where it was, so that a loss in the log that was not this removal stays one.
CREATE TABLE next.residence AS
SELECT output, holder, from_ms, to_ms, end_reason, removal, known FROM world.residence
UNION ALL
SELECT output, 'moved', from_ms, to_ms, 'moved', NULL, any_value(known) FROM next.safe GROUP BY output, from_ms, to_ms
ORDER BY output, from_ms, holder;

CREATE TABLE next.cost AS
WITH life AS (
    SELECT sum(to_ms - from_ms) AS life_ms
    FROM (
        SELECT CASE p.unit WHEN 'machine' THEN w.machine ELSE w.worker END AS unit, min(coalesce(w.added_ms, r.start_ms)) AS from_ms,
            max(least(coalesce(w.removed_ms, r.end_ms), r.end_ms)) AS to_ms
        FROM world.worker w CROSS JOIN world.rules r CROSS JOIN param.value p
        WHERE NOT w.is_coordinator AND CASE p.unit WHEN 'machine' THEN w.machine ELSE w.worker END IS NOT NULL
        GROUP BY 1
    )
),
moved AS (
    SELECT sum(bytes::HUGEINT * (next_ms - at_ms))::DOUBLE AS all_bytes, sum(bytes::HUGEINT * greatest(next_ms - greatest(at_ms, needed_ms), 0))::DOUBLE AS vain_bytes
    FROM next.chosen
)
SELECT 'moved' AS kind, coalesce(m.all_bytes, 0) / l.life_ms AS value, 'bytes_per_removal' AS unit FROM moved m CROSS JOIN life l CROSS JOIN next.budget b WHERE b.notice_ms > 0 AND l.life_ms > 0
UNION ALL
SELECT 'moved_in_vain', coalesce(m.vain_bytes, 0) / l.life_ms, 'bytes_per_removal' FROM moved m CROSS JOIN life l CROSS JOIN next.budget b WHERE b.notice_ms > 0 AND l.life_ms > 0;

CREATE TABLE next.note AS
SELECT 'outputs of unknown size are taken as empty: they are moved first' AS note FROM world.output WHERE bytes IS NULL HAVING count(*) > 0;
