-- Purpose: the start set: while a dataset that loses pieces with a unit is needed.
-- Grain:   one row per unit, dataset, bound and interval; intervals of a key may overlap.
-- Inputs:  loss.lost_presence, loss.hole_presence, loss.need_span, loss.need_tail
-- Outputs: unit_no, dataset; is_low: the bound; from_ms, to_ms (ms). Unit 0 is no unit: what is needed and has holes
--          is made again though nothing more is lost.
CREATE OR REPLACE TABLE loss.start AS
SELECT l.unit_no, l.dataset, l.is_low, greatest(l.from_ms, n.from_ms) AS from_ms, least(l.to_ms, n.to_ms) AS to_ms
FROM loss.lost_presence l
JOIN loss.need_span n ON n.dataset = l.dataset AND n.is_low = l.is_low AND n.from_ms < l.to_ms AND l.from_ms < n.to_ms
UNION ALL
SELECT l.unit_no, l.dataset, l.is_low, greatest(l.from_ms, n.from_ms) AS from_ms, least(l.to_ms, n.to_ms) AS to_ms
FROM loss.lost_presence l
JOIN loss.need_tail n ON n.unit_no = l.unit_no AND n.dataset = l.dataset AND n.from_ms < l.to_ms AND l.from_ms < n.to_ms
WHERE l.is_low
UNION ALL
SELECT 0 AS unit_no, h.dataset, n.is_low, greatest(h.from_ms, n.from_ms) AS from_ms, least(h.to_ms, n.to_ms) AS to_ms
FROM loss.hole_presence h
JOIN loss.need_span n ON n.dataset = h.dataset AND n.from_ms < h.to_ms AND h.from_ms < n.to_ms
UNION ALL
SELECT n.unit_no, h.dataset, true AS is_low, greatest(h.from_ms, n.from_ms) AS from_ms, least(h.to_ms, n.to_ms) AS to_ms
FROM loss.hole_presence h
JOIN loss.need_tail n ON n.dataset = h.dataset AND n.from_ms < h.to_ms AND h.from_ms < n.to_ms;
