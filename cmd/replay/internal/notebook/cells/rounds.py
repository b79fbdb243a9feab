import matplotlib.pyplot as plt

stages = trace.execute("""
SELECT stage, stage_attempt, submit_ms, complete_ms FROM stage
WHERE app = $1 AND complete_ms IS NOT NULL AND submit_ms IS NOT NULL ORDER BY submit_ms
""", [app]).df()
start = stages.submit_ms.min()
plt.figure(figsize=(9, 3))
plt.barh(stages.stage, (stages.complete_ms - stages.submit_ms) / 1000, left=(stages.submit_ms - start) / 1000)
for (ms,) in trace.execute("SELECT detected_ms FROM removal WHERE app = $1", [app]).fetchall():
    plt.axvline((ms - start) / 1000, color="red", linestyle="--")
plt.xlabel("seconds since the first stage")
plt.ylabel("stage")
plt.show()
