-- Purpose: how much finished work stood on each place of a timeline.
-- Grain:   one row per place and bin of time in which any stood there.
-- Inputs:  residence, output, dataset, holder, need, timeline_place
-- Parameters: $1 the application; $2, $3 the time that the bins divide (ms); $4 how many bins; $5 how many places.
-- Outputs: place; bin, from 0; needed_ms (slot ms): what making the outputs took that somebody may still read; done_ms (slot ms): that of the
--          other shuffle outputs. In the middle of the bin. Cached blocks are left out: what making one took is not in the log.
-- Algorithm:
--   1. The times in which each shuffle is needed are merged to intervals that do not touch.
--   2. A copy's life, cut with these, gives the life of its needed work.
--   3. A life becomes two changes, at the first bin whose middle is not before its start and before its end.
--   4. Sums of the changes so far are what stands there.
WITH need_row AS (
    SELECT dataset, coalesce(from_ms, 0) AS from_ms, until_ms
    FROM need
    WHERE app = $1 AND until_ms > coalesce(from_ms, 0)
),
need_start AS (
    SELECT dataset, from_ms, until_ms,
        from_ms > coalesce(max(until_ms) OVER (PARTITION BY dataset ORDER BY from_ms, until_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), -1) AS is_new
    FROM need_row
),
need_island AS (
    SELECT dataset, from_ms, until_ms, sum(is_new::INTEGER) OVER (PARTITION BY dataset ORDER BY from_ms, until_ms) AS island
    FROM need_start
),
need_time AS (
    SELECT dataset, min(from_ms) AS from_ms, max(until_ms) AS until_ms
    FROM need_island
    GROUP BY dataset, island
),
copy AS MATERIALIZED (
    SELECT p.place, o.dataset, o.cost_ms, r.from_ms, coalesce(r.to_ms, $3 + 1) AS to_ms
    FROM residence AS r
    JOIN output AS o ON o.app = r.app AND o.output = r.output
    JOIN dataset AS d ON d.app = r.app AND d.dataset = o.dataset AND d.kind = 'shuffle'
    JOIN holder AS h ON h.app = r.app AND h.holder = r.holder
    JOIN timeline_place AS p ON p.place = coalesce(h.machine, 'worker ' || h.worker) AND p.rank < $5
    WHERE r.app = $1 AND o.cost_ms > 0
),
life AS (
    SELECT place, 'all' AS what, cost_ms, from_ms, to_ms
    FROM copy
    UNION ALL
    SELECT c.place, 'needed', c.cost_ms, greatest(c.from_ms, n.from_ms), least(c.to_ms, n.until_ms)
    FROM copy AS c
    JOIN need_time AS n ON n.dataset = c.dataset AND n.from_ms < c.to_ms AND n.until_ms > c.from_ms
),
change AS (
    SELECT place, what, from_ms AS at_ms, cost_ms FROM life WHERE to_ms > from_ms
    UNION ALL
    SELECT place, what, to_ms, -cost_ms FROM life WHERE to_ms > from_ms
),
binned AS (
    SELECT place, greatest(0, ceil((at_ms - $2)::DOUBLE * $4 / ($3 - $2) - 0.5))::BIGINT AS bin,
        coalesce(sum(cost_ms) FILTER (what = 'needed'), 0)::BIGINT AS needed,
        coalesce(sum(cost_ms) FILTER (what = 'all'), 0)::BIGINT AS stood
    FROM change
    GROUP BY ALL
),
every AS (
    SELECT m.place, b.bin
    FROM (SELECT DISTINCT place FROM binned) AS m, (SELECT unnest(range($4)) AS bin) AS b
),
standing AS (
    SELECT e.place, e.bin, sum(coalesce(x.needed, 0)) OVER so_far AS needed, sum(coalesce(x.stood, 0)) OVER so_far AS stood
    FROM every AS e
    LEFT JOIN binned AS x ON x.place = e.place AND x.bin = e.bin
    WINDOW so_far AS (PARTITION BY e.place ORDER BY e.bin ROWS UNBOUNDED PRECEDING)
)
SELECT place, bin, needed::DOUBLE AS needed_ms, (stood - needed)::DOUBLE AS done_ms
FROM standing
WHERE stood > 0
ORDER BY place, bin;
