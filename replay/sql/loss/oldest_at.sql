-- Purpose: age and depth of what is counted at the instants that were asked for, and how well it is known.
-- Grain:   one row per unit and instant of loss.asked at which pieces are counted.
-- Inputs:  loss.asked, loss.segment, loss.oldest_own, loss.oldest_shared
-- Outputs: unit_no; at_ms (ms); made_ms (ms): the oldest was made; rounds: datasets; known: the worst, 0 to 3.
CREATE OR REPLACE TABLE loss.oldest_at AS
WITH live AS (
    SELECT a.unit_no, a.at_ms, s.dataset, s.beside, s.high
    FROM loss.asked a
    JOIN loss.segment s ON s.unit_no = a.unit_no AND s.from_ms <= a.at_ms AND a.at_ms < s.to_ms
    WHERE s.high > 0
),
oldest AS (
    SELECT l.unit_no, l.at_ms, l.dataset, o.made_ms, o.known
    FROM live l
    JOIN loss.oldest_own o ON o.unit_no = l.unit_no AND o.dataset = l.dataset AND o.beside = l.beside
        AND o.from_ms <= l.at_ms AND l.at_ms < o.to_ms
    UNION ALL
    SELECT l.unit_no, l.at_ms, l.dataset, o.made_ms, o.known
    FROM live l
    JOIN loss.oldest_shared o ON o.dataset = l.dataset AND o.from_ms <= l.at_ms AND l.at_ms < o.to_ms
    WHERE l.high IN (1, 2)
)
SELECT unit_no, at_ms, min(made_ms) AS made_ms, count(DISTINCT dataset) AS rounds, max(known) AS known
FROM oldest
GROUP BY unit_no, at_ms;
