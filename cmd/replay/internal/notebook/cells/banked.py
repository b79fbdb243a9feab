import matplotlib.pyplot as plt

steps = trace.execute("""
WITH stood AS (
    SELECT coalesce(h.machine, h.worker) AS unit, r.from_ms, r.to_ms, o.cost_ms
    FROM residence AS r
    JOIN output AS o ON o.app = r.app AND o.output = r.output
    JOIN holder AS h ON h.app = r.app AND h.holder = r.holder
    WHERE r.app = $1
),
steps AS (
    SELECT unit, from_ms AS at_ms, cost_ms FROM stood
    UNION ALL
    SELECT unit, to_ms, -cost_ms FROM stood WHERE to_ms IS NOT NULL
)
SELECT unit, at_ms, sum(sum(cost_ms)) OVER (PARTITION BY unit ORDER BY at_ms) AS stands_ms
FROM steps WHERE unit IS NOT NULL GROUP BY unit, at_ms ORDER BY unit, at_ms
""", [app]).df()
start = steps.at_ms.min()
plt.figure(figsize=(10, 4))
for unit, s in steps.groupby("unit"):
    plt.step((s.at_ms - start) / 1000, s.stands_ms / 1000, where="post", label=unit)
for (ms,) in trace.execute("SELECT detected_ms FROM removal WHERE app = $1", [app]).fetchall():
    plt.axvline((ms - start) / 1000, color="red", linestyle="--")
plt.xlabel("seconds since the first output")
plt.ylabel("finished work that stands there, slot seconds")
if steps.unit.nunique() <= 20:
    plt.legend()
plt.show()
