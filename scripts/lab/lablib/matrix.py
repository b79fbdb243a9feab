"""The matrix: a TOML file of groups, expanded into single runs. See README.md."""

import copy
import tomllib

RUN_DEFAULTS = {
    "spark": "3.5.5", "main": "lab.Main", "machines": 4, "workers": 2, "slots": 1, "codec": "zstd",
    "rolling": False, "block_updates": True, "args": {}, "settings": {}, "daemon_settings": {},
    "actions": [], "then": [], "archive": True, "timeout_s": 600,
}

# Fields of a loss that belong to its action, not to the run.
OF_ACTION = ("kind", "machine", "notice_ms", "for_ms", "delay_ms")


def load(path):
    """All runs, by name, in the order of the file; but all twins after all losses."""
    with open(path, "rb") as f:
        data = tomllib.load(f)
    runs = {}
    for group in data["group"]:
        for run in _expand(group):
            if run["name"] in runs:
                raise SystemExit(f"lab: {path}: two runs are called {run['name']}")
            runs[run["name"]] = run
    return dict(sorted(runs.items(), key=lambda r: "-twin-" in r[0]))


def _expand(group):
    """twins = N gives N undisturbed runs; [[group.loss]] gives one run for each of its `at` values."""
    base = copy.deepcopy(RUN_DEFAULTS)
    base["group"] = group["name"]
    losses = group.get("loss", [])
    _merge(base, {k: v for k, v in group.items() if k not in ("name", "twins", "loss")})
    for loss in losses:
        runs = loss.get("at", [None])
        runs = runs if isinstance(runs, list) else [runs]
        for i, at in enumerate(runs, 1):
            run = copy.deepcopy(base)
            _merge(run, {k: v for k, v in loss.items() if k not in ("name", "at", "actions", *OF_ACTION)})
            name = f"{group['name']}-{loss['name']}" + (f"-{i}" if len(runs) > 1 else "")
            run["actions"] = _actions(loss, at, i)
            yield _named(run, name)
    for i in range(1, group.get("twins", 0) + 1):
        yield _named(base, f"{group['name']}-twin-{i}")
    if not losses and not group.get("twins"):
        yield _named(base, group["name"])


def _actions(loss, at, i):
    """Actions as listed; the first may be given by the loss's own kind, at and machine."""
    actions = copy.deepcopy(loss.get("actions", []))
    if "kind" in loss:
        machines = loss.get("machine", ["m2", "m3", "m1", "m4"])
        machines = machines if isinstance(machines, list) else [machines]
        first = {k: loss[k] for k in OF_ACTION[2:] if k in loss}
        first.update(kind=loss["kind"], at=at, machine=machines[(i - 1) % len(machines)], nth=i)
        actions.insert(0, first)
    return actions


def overlaid(run, more):
    """A run as a later driver of it sees it: the same but for what `more` says."""
    run = copy.deepcopy(run)
    run["actions"] = []
    _merge(run, more)
    return run


def _named(base, name):
    run = copy.deepcopy(base)
    run["name"] = name
    return run


def _merge(into, more):
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            into[key].update(value)
        else:
            into[key] = value
