-- Purpose: how many bytes stood where, over time.
-- Grain:   one row per place and bin of time in which anything stood there.
-- Inputs:  residence, output, dataset, holder, need
-- Parameters: $1 the application; $2, $3 the time that the bins divide (ms); $4 how many bins.
-- Outputs: place: the machine, or the holder where that is not known; bin: from 0; needed_bytes: of shuffles that somebody may still
--          read; done_bytes: of the others; cached_bytes. All in the middle of the bin.
-- Algorithm:
--   1. The times in which each shuffle is needed are merged to intervals that do not touch.
--   2. A copy's life, cut with these, gives the life of its needed bytes.
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
    SELECT coalesce(h.machine, h.holder) AS place, o.dataset, d.kind, o.bytes, r.from_ms, coalesce(r.to_ms, $3 + 1) AS to_ms
    FROM residence r
    JOIN (SELECT output, dataset, bytes FROM output WHERE app = $1 AND bytes > 0) o ON o.output = r.output
    JOIN (SELECT dataset, kind FROM dataset WHERE app = $1) d ON d.dataset = o.dataset
    JOIN (SELECT holder, machine FROM holder WHERE app = $1) h ON h.holder = r.holder
    WHERE r.app = $1
),
life AS (
    SELECT place, CASE kind WHEN 'cache' THEN 'cached' ELSE 'shuffle' END AS what, bytes, from_ms, to_ms
    FROM copy
    UNION ALL
    SELECT c.place, 'needed', c.bytes, greatest(c.from_ms, n.from_ms), least(c.to_ms, n.until_ms)
    FROM copy c
    JOIN need_time n ON n.dataset = c.dataset AND n.from_ms < c.to_ms AND n.until_ms > c.from_ms
    WHERE c.kind <> 'cache'
),
change AS (
    SELECT place, what, from_ms AS at_ms, bytes FROM life WHERE to_ms > from_ms
    UNION ALL
    SELECT place, what, to_ms, -bytes FROM life WHERE to_ms > from_ms
),
binned AS (
    SELECT place, greatest(0, ceil((at_ms - $2)::DOUBLE * $4 / ($3 - $2) - 0.5))::BIGINT AS bin,
        coalesce(sum(bytes) FILTER (what = 'needed'), 0)::BIGINT AS needed,
        coalesce(sum(bytes) FILTER (what = 'shuffle'), 0)::BIGINT AS shuffled,
        coalesce(sum(bytes) FILTER (what = 'cached'), 0)::BIGINT AS cached
    FROM change
    GROUP BY ALL
),
place AS (
    SELECT m.place, b.bin
    FROM (SELECT DISTINCT place FROM binned) m, (SELECT unnest(range($4)) AS bin) b
),
standing AS (
    SELECT p.place, p.bin,
        sum(coalesce(x.needed, 0)) OVER so_far AS needed,
        sum(coalesce(x.shuffled, 0)) OVER so_far AS shuffled,
        sum(coalesce(x.cached, 0)) OVER so_far AS cached
    FROM place p
    LEFT JOIN binned x ON x.place = p.place AND x.bin = p.bin
    WINDOW so_far AS (PARTITION BY p.place ORDER BY p.bin ROWS UNBOUNDED PRECEDING)
)
SELECT place, bin, needed::DOUBLE AS needed_bytes, (shuffled - needed)::DOUBLE AS done_bytes, cached::DOUBLE AS cached_bytes
FROM standing
WHERE shuffled > 0 OR cached > 0
ORDER BY place, bin;
