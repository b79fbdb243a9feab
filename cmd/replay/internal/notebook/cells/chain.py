import matplotlib.pyplot as plt

links = trace.execute("""
SELECT c.removal, c.level, c.dataset, c.pieces, min(c.first_made_ms) AS made_from_ms, max(c.last_made_ms) AS made_to_ms,
    min(r.rerun_start_ms) AS again_from_ms, max(coalesce(r.rerun_end_ms, r.rerun_start_ms)) AS again_to_ms
FROM rerun_chain AS c
JOIN rerun_cause AS r ON r.app = c.app AND r.removal = c.removal AND r.shuffle = c.dataset
WHERE c.app = $1 GROUP BY ALL ORDER BY c.removal, c.level, c.dataset DESC
""", [app]).df()
if len(links):
    start = links.made_from_ms.min()
    plt.figure(figsize=(10, 1 + 0.4 * len(links)))
    plt.barh(links.index, (links.made_to_ms - links.made_from_ms) / 1000, left=(links.made_from_ms - start) / 1000, color="#8fa6bf", label="finished, the first time")
    plt.barh(links.index, (links.again_to_ms - links.again_from_ms) / 1000, left=(links.again_from_ms - start) / 1000, color="#b5179e", label="run again")
    plt.yticks(links.index, [f"[{l.removal}] shuffle {l.dataset}, {l.pieces} pieces" for l in links.itertuples()])
    plt.gca().invert_yaxis()
    plt.xlabel("seconds since the first of these pieces was finished")
    plt.legend()
    plt.show()
else:
    print("nothing that had been finished ran again")
