-- Purpose: what giving workers back after a time of idleness would have saved, and what would have gone with them.
-- Grain:   one row per worker and time of idleness, for which there is a release.
-- Inputs:  world.rules, world.worker, world.attempt, world.need, world.output, world.holder, world.residence
-- Parameters: $1 the times of idleness (ms), a list in JSON.
-- Outputs: app; worker; after_ms (ms); releases; saved_ms (slot ms): from each release to the next task, or the end; stood_outputs,
--          stood_ms (slot ms): outputs and blocks that stood there and nowhere else; stranded_outputs, stranded_ms (slot ms): of
--          these, what someone still needed. Each output counts once for a time of idleness.
WITH life AS (
    SELECT w.worker, coalesce(w.slots, 1) AS slots, coalesce(w.added_ms, r.start_ms) AS from_ms, least(coalesce(w.removed_ms, r.end_ms), r.end_ms) AS to_ms
    FROM world.worker w CROSS JOIN world.rules r
    WHERE NOT w.is_coordinator
),
busy AS (
    SELECT l.worker, a.start_ms AS from_ms, a.end_ms AS to_ms FROM world.attempt a JOIN life l ON l.worker = a.worker
    UNION ALL
    SELECT worker, from_ms, from_ms FROM life
    UNION ALL
    SELECT worker, to_ms, to_ms FROM life
),
later AS (
    SELECT worker, from_ms, max(to_ms) OVER (PARTITION BY worker ORDER BY from_ms, to_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS last_ms
    FROM busy
),
release AS MATERIALIZED (
    SELECT l.worker, t.after_ms, l.last_ms + t.after_ms AS gone_ms, l.from_ms AS back_ms
    FROM later l CROSS JOIN (SELECT unnest(from_json($1::VARCHAR, '["BIGINT"]')) AS after_ms) t
    WHERE l.last_ms + t.after_ms < l.from_ms
),
copy AS (
    SELECT r.output, h.worker, h.dies_with, r.from_ms, coalesce(r.to_ms, e.end_ms) AS to_ms
    FROM world.residence r JOIN world.holder h ON h.holder = r.holder CROSS JOIN world.rules e
),
stood AS (
    SELECT x.worker, x.after_ms, c.output, min(x.gone_ms) AS gone_ms
    FROM release x JOIN copy c ON c.dies_with = 'worker' AND c.worker = x.worker AND c.from_ms <= x.gone_ms AND x.gone_ms < c.to_ms
    WHERE NOT EXISTS (
        SELECT 1 FROM copy k WHERE k.output = c.output AND k.from_ms <= x.gone_ms AND x.gone_ms < k.to_ms AND (k.dies_with <> 'worker' OR k.worker <> x.worker)
    )
    GROUP BY x.worker, x.after_ms, c.output
),
wanted AS (
    SELECT n.dataset, coalesce(n.from_ms, r.start_ms) AS from_ms, max(n.until_ms) AS to_ms FROM world.need n CROSS JOIN world.rules r GROUP BY ALL
),
held AS (
    SELECT s.worker, s.after_ms, s.output, o.cost_ms,
        EXISTS (SELECT 1 FROM wanted w WHERE w.dataset = o.dataset AND w.from_ms <= s.gone_ms AND s.gone_ms < w.to_ms) AS is_needed
    FROM stood s JOIN world.output o ON o.output = s.output
),
went AS (
    SELECT worker, after_ms, count(*) AS outputs, sum(cost_ms) AS ms, count(*) FILTER (WHERE is_needed) AS needed_outputs,
        sum(cost_ms) FILTER (WHERE is_needed) AS needed_ms
    FROM held
    GROUP BY worker, after_ms
),
gone AS (
    SELECT x.worker, x.after_ms, count(*) AS releases, sum(l.slots * (x.back_ms - x.gone_ms)) AS saved_ms
    FROM release x JOIN life l ON l.worker = x.worker
    GROUP BY x.worker, x.after_ms
)
SELECT (SELECT app FROM world.rules) AS app, g.worker, g.after_ms, g.releases, g.saved_ms::BIGINT AS saved_ms, coalesce(w.outputs, 0) AS stood_outputs, coalesce(w.ms, 0)::BIGINT AS stood_ms,
    coalesce(w.needed_outputs, 0) AS stranded_outputs, coalesce(w.needed_ms, 0)::BIGINT AS stranded_ms
FROM gone g LEFT JOIN went w ON w.worker = g.worker AND w.after_ms = g.after_ms
ORDER BY g.worker, g.after_ms;
