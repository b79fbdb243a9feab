-- Purpose: Outputs that have reached an age are kept in a durable store too, which no loss takes.
-- Policy:  durable
-- Parameter: every duration = 10m from 0s to never: age at which an output is written; never = no output is
-- Parameter: stages text = "": only what these stages make, stage ids joined by +; empty = what any stage makes
-- Assumption: bandwidth size = 20MiB to 500MiB: a second, that a task writes to the store
-- Inputs:  world.rules, world.output, world.holder, world.residence
-- Rewrites: holder, residence
-- Costs:   bytes written, and the slot time that writing takes
-- Not for: a run that is over before any output has that age
-- Moves work: no
-- Unknown: how fast the store takes the bytes
-- Caveat:  What is younger than that when it is lost is lost as before.

CREATE TABLE next.landed AS
WITH chosen AS (
    SELECT try_cast(trim(s.stage) AS BIGINT) AS stage
    FROM param.value p CROSS JOIN unnest(string_split(p.stages, '+')) s(stage)
    WHERE p.stages <> ''
),
standing AS (
    SELECT r.output, min(r.from_ms) AS from_ms, max(coalesce(r.to_ms, u.end_ms)) AS to_ms, min(r.known) AS known,
        max(r.to_ms) FILTER (WHERE r.removal IS NULL AND r.end_reason IN ('unpersisted', 'evicted')) AS dropped_ms
    FROM world.residence r CROSS JOIN world.rules u
    GROUP BY r.output
)
SELECT s.output, o.made_ms + p.every AS from_ms, s.dropped_ms AS to_ms, s.known, o.bytes
FROM standing s
JOIN world.output o ON o.output = s.output
CROSS JOIN param.value p
CROSS JOIN world.rules u
WHERE p.every IS NOT NULL
    AND o.made_ms + p.every < least(s.to_ms, u.end_ms)
    AND (p.stages = '' OR o.stage IN (SELECT stage FROM chosen));

CREATE TABLE next.unfit AS
SELECT NULL::VARCHAR AS unit_kind, NULL::BIGINT AS removal,
    CASE WHEN p.stages <> '' THEN 'no output of these stages reaches that age while it stands' ELSE 'no output reaches that age while it stands' END AS why
FROM param.value p
WHERE p.every IS NOT NULL AND NOT EXISTS (SELECT 1 FROM next.landed);

CREATE TABLE next.holder AS
SELECT holder, dies_with, worker, machine, service FROM world.holder
UNION ALL
SELECT 'store', 'never', NULL, NULL, NULL
WHERE EXISTS (SELECT 1 FROM next.landed) AND NOT EXISTS (SELECT 1 FROM world.holder WHERE holder = 'store')
ORDER BY holder;

CREATE TABLE next.residence AS
SELECT output, holder, from_ms, to_ms, end_reason, removal, known FROM world.residence
UNION ALL
SELECT l.output, 'store', l.from_ms, l.to_ms, CASE WHEN l.to_ms IS NOT NULL THEN 'unpersisted' END, NULL, l.known
FROM next.landed l
ANTI JOIN (SELECT output FROM world.residence WHERE holder = 'store') r ON r.output = l.output
ORDER BY output, from_ms, holder;

CREATE TABLE next.cost AS
SELECT 'written_to_store' AS kind, coalesce(sum(l.bytes), 0)::DOUBLE AS value, 'bytes' AS unit
FROM next.landed l
HAVING count(*) > 0
UNION ALL
SELECT 'write_time', coalesce(sum(l.bytes), 0) * 1000.0 / any_value(p.bandwidth), 'slot_ms'
FROM next.landed l CROSS JOIN param.value p
HAVING count(*) > 0;

CREATE TABLE next.note AS
SELECT count(*) || ' outputs of unknown size are not in the bytes' AS note FROM next.landed WHERE bytes IS NULL HAVING count(*) > 0;
