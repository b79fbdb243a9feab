import matplotlib.pyplot as plt

runs = trace.execute("""
SELECT coalesce(a.machine, a.worker) AS unit, a.start_ms, a.end_ms,
    CASE WHEN a.status = 'success' AND r.why IN ('owed', 'climb', 'unneeded', 'duplicate', 'rollback') THEN 'finished work run again'
        WHEN a.status IN ('worker_lost', 'fetch_failed', 'running') THEN 'cut off' ELSE 'first run' END AS what
FROM attempt AS a LEFT JOIN rerun_cause AS r ON r.app = a.app AND r.rerun_task = a.task
WHERE a.app = $1 ORDER BY unit, a.start_ms, a.task
""", [app]).df()
start, row, ticks, bars = runs.start_ms.min(), 0, {}, {}
for unit, ran in runs.groupby("unit"):
    free = []  # when each lane of this unit is free again
    for r in ran.itertuples():
        lane = next((i for i, ms in enumerate(free) if ms <= r.start_ms), len(free))
        free[lane:lane + 1] = [r.end_ms]
        bars.setdefault((r.what, row + lane), []).append(((r.start_ms - start) / 1000, (r.end_ms - r.start_ms) / 1000))
    ticks[row + (len(free) - 1) / 2] = unit
    row += len(free) + 1
plt.figure(figsize=(12, min(1 + row * 0.25, 30)))
colours = {"first run": "#8fa6bf", "finished work run again": "#b5179e", "cut off": "white"}
for (what, y), spans in bars.items():
    plt.broken_barh(spans, (y - 0.4, 0.8), facecolor=colours[what], edgecolor="#c1121f" if what == "cut off" else "white", linewidth=0.5)
for (ms,) in trace.execute("SELECT detected_ms FROM removal WHERE app = $1", [app]).fetchall():
    plt.axvline((ms - start) / 1000, color="red", linestyle="--")
plt.yticks(list(ticks), list(ticks.values()))
plt.gca().invert_yaxis()
plt.legend([plt.Rectangle((0, 0), 1, 1, facecolor=c, edgecolor="#c1121f" if w == "cut off" else c) for w, c in colours.items()], list(colours), loc="upper left")
plt.xlabel("seconds since the first task")
plt.show()
