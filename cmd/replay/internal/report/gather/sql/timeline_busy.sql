-- Purpose: what the slots of each place did over time, for a timeline whose attempts are too many to be drawn.
-- Grain:   one row per place, bin of time and what ran.
-- Inputs:  timeline_run
-- Parameters: $1, $2 the time that is shown (ms); $3 how many bins; $4 how many places.
-- Outputs: place; bin, from 0; what: as in timeline_run; slots: busy in the mean over the bin.
WITH shown AS (
    SELECT
        place, rank, what,
        (greatest(from_ms, $1) - $1)::DOUBLE * $3 / ($2 - $1) AS from_bin,
        (least(to_ms, $2) - $1)::DOUBLE * $3 / ($2 - $1) AS to_bin
    FROM timeline_run
    WHERE rank < $4
),
spread AS (
    SELECT place, rank, what, from_bin, to_bin, unnest(range(floor(from_bin)::BIGINT, least(ceil(to_bin)::BIGINT, $3))) AS bin
    FROM shown
)
SELECT place, bin, what, sum(least(to_bin, bin + 1) - greatest(from_bin, bin)) AS slots
FROM spread
GROUP BY place, rank, bin, what
ORDER BY rank, bin, what;
