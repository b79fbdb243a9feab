-- Purpose: rows of a world that break what every world keeps.
-- Grain:   one row per rule that is broken.
-- Inputs:  world.rules, world.worker, world.machine, world.attempt, world.dataset, world.input, world.need, world.output, world.holder, world.residence
-- Outputs: table_name; rule; rows: how many break it; example: up to three of them.
WITH broken AS (
    SELECT 'rules' AS table_name, 'has exactly one row' AS rule, count(*) || ' rows' AS example FROM world.rules HAVING count(*) <> 1
    UNION ALL
    SELECT 'rules', 'start_ms and end_ms are known, and in order', concat_ws(' ', start_ms, end_ms)
    FROM world.rules WHERE start_ms IS NULL OR end_ms IS NULL OR start_ms > end_ms
    UNION ALL
    SELECT 'rules', 'discipline is share, by-node, region, round or job', coalesce(discipline, 'null')
    FROM world.rules WHERE coalesce(discipline NOT IN ('share', 'by-node', 'region', 'round', 'job'), true)
    UNION ALL
    SELECT 'worker', 'each worker has one row', coalesce(worker, 'null') FROM world.worker GROUP BY worker HAVING count(*) > 1 OR worker IS NULL
    UNION ALL
    SELECT 'worker', 'is_coordinator is known', worker FROM world.worker WHERE is_coordinator IS NULL
    UNION ALL
    SELECT 'worker', 'added_ms is not after removed_ms', worker FROM world.worker WHERE added_ms > removed_ms
    UNION ALL
    SELECT 'worker', 'has at least one slot, or null', worker FROM world.worker WHERE slots < 1
    UNION ALL
    SELECT 'worker', 'its machine is in table machine', w.worker || ' on ' || w.machine
    FROM world.worker w ANTI JOIN world.machine m ON m.machine = w.machine
    WHERE w.machine IS NOT NULL
    UNION ALL
    SELECT 'machine', 'each machine has one row', coalesce(machine, 'null') FROM world.machine GROUP BY machine HAVING count(*) > 1 OR machine IS NULL
    UNION ALL
    SELECT 'attempt', 'each task has one row', 'task ' || coalesce(task::VARCHAR, 'null') FROM world.attempt GROUP BY task HAVING count(*) > 1 OR task IS NULL
    UNION ALL
    SELECT 'attempt', 'start_ms and end_ms are known, and in order', 'task ' || task FROM world.attempt WHERE start_ms IS NULL OR end_ms IS NULL OR start_ms > end_ms
    UNION ALL
    SELECT 'attempt', 'its worker is in table worker', 'task ' || a.task || ' on ' || coalesce(a.worker, 'null')
    FROM world.attempt a ANTI JOIN world.worker w ON w.worker = a.worker
    UNION ALL
    SELECT 'dataset', 'each dataset has one row', 'dataset ' || coalesce(dataset::VARCHAR, 'null')
    FROM world.dataset GROUP BY dataset HAVING count(*) > 1 OR dataset IS NULL
    UNION ALL
    SELECT 'dataset', 'kind is shuffle or cache', 'dataset ' || dataset FROM world.dataset WHERE coalesce(kind NOT IN ('shuffle', 'cache'), true)
    UNION ALL
    SELECT 'dataset', 'is_rollback is known', 'dataset ' || dataset FROM world.dataset WHERE is_rollback IS NULL
    UNION ALL
    SELECT 'input', 'each pair has one row', 'dataset ' || dataset || ' of ' || input_dataset FROM world.input GROUP BY dataset, input_dataset HAVING count(*) > 1
    UNION ALL
    SELECT 'input', 'both are in table dataset', concat('dataset ', i.dataset, ' of ', i.input_dataset)
    FROM world.input i
    LEFT JOIN world.dataset d ON d.dataset = i.dataset
    LEFT JOIN world.dataset s ON s.dataset = i.input_dataset
    WHERE d.dataset IS NULL OR s.dataset IS NULL
    UNION ALL
    SELECT 'need', 'each dataset and reading stage attempt has one row', concat('dataset ', dataset, ' by ', stage, '.', stage_attempt)
    FROM world.need
    GROUP BY dataset, stage, stage_attempt
    HAVING count(*) > 1 OR dataset IS NULL OR stage IS NULL OR stage_attempt IS NULL
    UNION ALL
    SELECT 'need', 'its dataset is in table dataset', 'dataset ' || n.dataset FROM world.need n ANTI JOIN world.dataset d ON d.dataset = n.dataset
    UNION ALL
    SELECT 'need', 'until_ms is known', concat('dataset ', dataset, ' by ', stage, '.', stage_attempt) FROM world.need WHERE until_ms IS NULL
    UNION ALL
    SELECT 'output', 'each output has one row', 'output ' || coalesce(output::VARCHAR, 'null') FROM world.output GROUP BY output HAVING count(*) > 1 OR output IS NULL
    UNION ALL
    SELECT 'output', 'dataset, partition, made_ms and cost_ms are known, and cost_ms is not negative', 'output ' || output
    FROM world.output WHERE dataset IS NULL OR partition IS NULL OR made_ms IS NULL OR cost_ms IS NULL OR cost_ms < 0
    UNION ALL
    SELECT 'output', 'its dataset is in table dataset', 'output ' || o.output FROM world.output o ANTI JOIN world.dataset d ON d.dataset = o.dataset
    UNION ALL
    SELECT 'output', 'its task, if it is known, is in table attempt', 'output ' || o.output || ' by task ' || o.task
    FROM world.output o ANTI JOIN world.attempt a ON a.task = o.task
    WHERE o.task IS NOT NULL
    UNION ALL
    SELECT 'holder', 'each holder has one row', coalesce(holder, 'null') FROM world.holder GROUP BY holder HAVING count(*) > 1 OR holder IS NULL
    UNION ALL
    SELECT 'holder', 'dies_with is worker, machine, service or never', holder
    FROM world.holder WHERE coalesce(dies_with NOT IN ('worker', 'machine', 'service', 'never'), true)
    UNION ALL
    SELECT 'holder', 'what dies with a worker names one of table worker', h.holder
    FROM world.holder h LEFT JOIN world.worker w ON w.worker = h.worker
    WHERE h.dies_with = 'worker' AND w.worker IS NULL
    UNION ALL
    SELECT 'holder', 'what dies with a machine names one of table machine', h.holder
    FROM world.holder h LEFT JOIN world.machine m ON m.machine = h.machine
    WHERE h.dies_with = 'machine' AND m.machine IS NULL
    UNION ALL
    SELECT 'holder', 'what dies with a service names it', holder FROM world.holder WHERE dies_with = 'service' AND service IS NULL
    UNION ALL
    SELECT 'residence', 'each output has one row for a holder and a start', 'output ' || output || ' on ' || holder
    FROM world.residence
    GROUP BY output, holder, from_ms
    HAVING count(*) > 1
    UNION ALL
    SELECT 'residence', 'from_ms is known, and not after to_ms', concat('output ', output, ' on ', holder)
    FROM world.residence WHERE from_ms IS NULL OR from_ms > to_ms
    UNION ALL
    SELECT 'residence', 'its output is in table output', 'output ' || coalesce(r.output::VARCHAR, 'null') || ' on ' || r.holder
    FROM world.residence r ANTI JOIN world.output o ON o.output = r.output
    UNION ALL
    SELECT 'residence', 'its holder is in table holder', 'output ' || r.output || ' on ' || coalesce(r.holder, 'null')
    FROM world.residence r ANTI JOIN world.holder h ON h.holder = r.holder
)
SELECT table_name, rule, count(*) AS rows, array_to_string(list(example ORDER BY example)[1:3], ', ') AS example
FROM broken
GROUP BY table_name, rule
ORDER BY table_name, rule;
