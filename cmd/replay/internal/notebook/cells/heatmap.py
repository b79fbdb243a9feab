import io, shutil, subprocess
import matplotlib.pyplot as plt

if shutil.which("replay"):
    kind = "machine" if trace.execute("SELECT count(machine) FROM worker WHERE app = $1", [app]).fetchone()[0] else "worker"
    csv = subprocess.run(["replay", "blast", path, "--app", app, "--unit-kind", kind, "--grid", "300", "--format", "csv"], capture_output=True, text=True).stdout
    cells = pandas.read_csv(io.StringIO(csv)).pivot(index="unit", columns="instant_ms", values="recompute_ms") / 1000
    plt.figure(figsize=(12, 1 + 0.3 * len(cells)))
    plt.imshow(cells, aspect="auto", interpolation="nearest", cmap="magma_r", extent=(0, (cells.columns.max() - cells.columns.min()) / 1000, len(cells) - 0.5, -0.5))
    plt.yticks(range(len(cells)), cells.index)
    plt.colorbar(label="slot seconds to be redone")
    plt.xlabel("seconds")
    plt.show()
else:
    print("this is worked out by replay: put it on the PATH, or: replay plot heatmap " + path + " -o heatmap.png")
