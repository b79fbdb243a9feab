-- Purpose: which shuffles and caches carried most risk: slot time banked in them times how long it waited.
-- Grain:   one row per dataset that waited for a reader.
-- Inputs:  dataset, output, residence, need, app
-- Parameters: $1 the application.
-- Outputs: dataset; kind; name; stage: that made it first; outputs; bytes: null if no size is known; slot_ms (slot ms):
--          what making them took; exposure (slot ms x ms): of each output its cost times the time from its making to its
--          last reader's end, or until its last copy was gone.
WITH last_need AS (
    SELECT dataset, max(until_ms) AS until_ms
    FROM need
    WHERE app = $1
    GROUP BY dataset
),
gone AS (
    SELECT r.output, max(coalesce(r.to_ms, a.last_ms)) AS gone_ms
    FROM residence r
    JOIN app a ON a.app = r.app
    WHERE r.app = $1
    GROUP BY r.output
),
waited AS (
    SELECT o.dataset, o.bytes, o.cost_ms, greatest(least(n.until_ms, g.gone_ms) - o.made_ms, 0) AS wait_ms
    FROM output o
    JOIN last_need n ON n.dataset = o.dataset
    JOIN gone g ON g.output = o.output
    WHERE o.app = $1
)
SELECT d.dataset, d.kind, d.name, d.first_stage AS stage, count(*) AS outputs, sum(w.bytes)::BIGINT AS bytes,
    sum(w.cost_ms)::BIGINT AS slot_ms, sum(w.cost_ms::DOUBLE * w.wait_ms) AS exposure
FROM waited w
JOIN dataset d ON d.app = $1 AND d.dataset = w.dataset
GROUP BY d.dataset, d.kind, d.name, d.first_stage
HAVING sum(w.cost_ms::DOUBLE * w.wait_ms) > 0
ORDER BY exposure DESC, d.dataset;
