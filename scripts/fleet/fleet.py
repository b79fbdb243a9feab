#!/usr/bin/env python3
"""Reads many Spark event logs on a Spark cluster, with the replay binary.

    spark-submit scripts/fleet/fleet.py --out hdfs:///traces --replay bin/replay hdfs:///spark-history
    spark-submit scripts/fleet/fleet.py --out DIR --replay bin/replay --list logs.txt

Each log is streamed through `replay ingest -` on an executor. What is left is
one Parquet data set of all tables, TABLE/app=ID/KEY.parquet, which `replay sql`
and the other commands open like a trace, and status/, one row a log:

    state     done; problems (done, but what could not be read was skipped);
              refused (no log, or not to be read to its end: see why);
              failed (the machinery: tried again by the next run)

A log that is finished is not read again by a later run with the same --out,
unless it has changed. See README.md.
"""
import argparse
import csv
import hashlib
import io
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
from urllib.parse import unquote, urlparse

TABLES = "SELECT table_name, estimated_size FROM duckdb_tables() WHERE database_name = current_database()"
EMPTY = "_empty.parquet"  # hidden from Spark's readers: the columns of a table that no log has rows of
FIELDS = ("log", "state", "app", "apps", "tasks", "problems", "bytes", "why", "host")


# ---- On the executors. These functions use nothing of Spark. ----

def ingest(task):
    """Reads one log and leaves its tables; returns its row of the status."""
    status = dict(log=task["log"], key=task["key"], print=task["print"], bytes=task["bytes"], host=socket.gethostname(),
                  state="failed", app=None, apps=[], tasks=None, problems=None, why=None)
    work = tempfile.mkdtemp(prefix="replay-fleet-", dir=task["work"])
    try:
        ingest_in(task, status, work)
    except Exception as e:  # one log must not stop the others
        status.update(state="failed", why=f"{type(e).__name__}: {e}"[:1000])
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return status


def ingest_in(task, status, work):
    trace, tables = os.path.join(work, "trace.duckdb"), os.path.join(work, "tables")
    code, words, source = stream(task, ["ingest", "-", "--stdin-name", task["log"], "-o", trace, "--tables", tables, "--jobs", "1"])
    if source:
        status["why"] = "reading the log: " + source
        return
    if code < 0:
        status["why"] = f"replay was ended by signal {-code}"
        return
    if code in (0, 3):
        learn(task, status, trace)
        stage = arrange(task, status, trace, tables, work)
        status["state"] = "done" if code == 0 else "problems"
        status["why"] = words if code == 3 else None
    else:
        stage = os.path.join(work, "stage")
        os.mkdir(stage)
        status.update(state="refused", why=words)
    finish(task, status, stage)


def stream(task, args):
    """Runs replay on the log; returns its exit code, its last words, and what was wrong with the source."""
    with tempfile.TemporaryFile() as errs:
        replay = subprocess.Popen([task["replay"], *args], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errs)
        source = None
        try:
            if task["rolled"]:
                send_tar(task, replay.stdin)
            else:
                send(task, task["members"][0][0], replay.stdin)
        except BrokenPipeError:
            pass  # replay has read enough to refuse it
        except (OSError, subprocess.CalledProcessError) as e:
            source = str(e)
            replay.kill()
        try:
            replay.stdin.close()
        except BrokenPipeError:
            pass
        code = replay.wait()
        errs.seek(0)
        lines = [l for l in errs.read().decode(errors="replace").splitlines() if l.startswith("replay ")]
        return code, "; ".join(l.split(": ", 1)[1] for l in lines)[:2000] or None, source


def send_tar(task, to):
    """A rolled log is a directory: it is sent as an archive, name by name."""
    with tarfile.open(mode="w|", fileobj=to, format=tarfile.PAX_FORMAT) as tar:
        for path, size in task["members"]:
            info = tarfile.TarInfo(os.path.basename(os.path.dirname(path)) + "/" + os.path.basename(path))
            info.size = size
            with opened(task, path) as f:
                tar.addfile(info, f)


def send(task, path, to):
    with opened(task, path) as f:
        shutil.copyfileobj(f, to, 1 << 20)


class opened:
    """A file on any file system, to read: of this machine by its path, else through Hadoop's shell."""

    def __init__(self, task, path):
        self.task, self.path = task, path

    def __enter__(self):
        local = local_path(self.task, self.path)
        self.shell = None
        if local:
            self.file = open(local, "rb")
        else:
            self.errs = tempfile.TemporaryFile()
            self.shell = subprocess.Popen([*self.task["shell"], "-cat", self.path], stdout=subprocess.PIPE, stderr=self.errs)
            self.file = self.shell.stdout
        return self.file

    def __exit__(self, kind, *_):
        self.file.close()
        if self.shell and self.shell.wait() != 0 and kind is None:
            self.errs.seek(0)
            raise OSError(self.errs.read().decode(errors="replace").strip()[-500:])


def local_path(task, uri):
    """The path of a file that every machine sees, or None."""
    u = urlparse(uri)
    if task["hadoop"] or u.scheme not in ("", "file"):
        return None
    return unquote(u.path) if u.scheme else uri


def learn(task, status, trace):
    apps = query(task, trace, "SELECT app FROM app ORDER BY first_seq")
    status["apps"] = [r[0] for r in apps]
    status["app"] = status["apps"][0] if apps else None
    [[tasks, problems]] = query(task, trace, "SELECT (SELECT count(*) FROM task), (SELECT count(*) FROM problem)")
    status.update(tasks=int(tasks), problems=int(problems))


def query(task, trace, sql, *flags):
    out = subprocess.run([task["replay"], "sql", trace, sql, "--format", "csv", *flags], capture_output=True, text=True)
    if out.returncode not in (0, 3):
        raise RuntimeError(out.stderr.strip())
    return list(csv.reader(io.StringIO(out.stdout)))[1:]


def arrange(task, status, trace, tables, work):
    """Lays the tables that have rows out as they will stand in the data set."""
    rows = query(task, trace, TABLES)
    part = "app=" + escape(status["app"] or task["key"])
    stage = os.path.join(work, "stage")
    for name, n in rows:
        if int(n) > 0:
            os.makedirs(os.path.join(stage, name, part))
            os.rename(os.path.join(tables, name + ".parquet"), os.path.join(stage, name, part, task["key"] + ".parquet"))
    return stage


def escape(app):
    """An application's id as the name of a directory, as Spark writes partitions."""
    return "".join(f"%{ord(c):02X}" if c < " " or c == "\x7f" or c in "\"#%'*/:=?\\{}[]^" else c for c in app)


def finish(task, status, stage):
    """Moves a log's tables into the data set: table app, which makes them count, last but for the mark that the log is done."""
    os.mkdir(os.path.join(stage, "finished"))
    with open(os.path.join(stage, "finished", task["key"] + ".json"), "w") as f:
        json.dump(status, f)
    names = sorted(os.listdir(stage), key=lambda n: ({"app": 1, "finished": 2}.get(n, 0), n))
    out = local_path(task, task["out"])
    if out is None:
        run_shell(task, "-put", "-f", *(os.path.join(stage, n) for n in names), task["out"])
        return
    for n in names:
        for dir, _, files in os.walk(os.path.join(stage, n)):
            to = os.path.join(out, os.path.relpath(dir, stage))
            os.makedirs(to, exist_ok=True)
            for file in files:
                aside = os.path.join(to, f".{file}.{os.getpid()}")
                shutil.copyfile(os.path.join(dir, file), aside)
                os.replace(aside, os.path.join(to, file))


def run_shell(task, *args):
    out = subprocess.run([*task["shell"], *args], capture_output=True, text=True, errors="replace")
    if out.returncode != 0:
        raise OSError(f"{args[0]}: {out.stderr.strip()[-500:]}")


# ---- On the driver. ----

def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("logs", nargs="*", help="paths and globs; of a directory each file and rolled log in it")
    p.add_argument("--list", help="file with one path a line")
    p.add_argument("--out", required=True, help="directory of the data set, which all machines see")
    p.add_argument("--replay", required=True, help="the replay binary on this machine; it is sent to the executors")
    p.add_argument("--work", help="where executors keep the tables of the log that they read; default: their temporary directory")
    p.add_argument("--shell", help="Hadoop's file system shell on the executors, as 'hadoop fs'; default: the one in Spark's jars")
    p.add_argument("--hadoop", action="store_true", help="read and write through Hadoop's shell also what is on local paths")
    opt = p.parse_args()

    from pyspark.sql import SparkSession
    spark = SparkSession.builder.appName("replay fleet").getOrCreate()
    try:
        sys.exit(Fleet(spark, opt).run())
    finally:
        spark.stop()


class Fleet:
    def __init__(self, spark, opt):
        self.spark, self.sc, self.opt = spark, spark.sparkContext, opt
        self.jvm = self.sc._jvm
        self.conf = self.sc._jsc.hadoopConfiguration()
        self.settings = [a for k, v in self.sc.getConf().getAll() if k.startswith("spark.hadoop.") for a in ("-D", f"{k[len('spark.hadoop.'):]}={v}")]

    def run(self):
        logs = self.find()
        if not logs:
            sys.exit("fleet: no log was named, or what was named holds none")
        self.prepare()
        known = self.finished()
        todo = [l for l in logs if known.get(l["key"], {}).get("print") != l["print"]]
        say(f"{len(logs)} logs, {len(logs) - len(todo)} of them finished by an earlier run")
        for l in todo:
            if l["key"] in known:
                self.delete(l["key"])
        fresh = self.work(todo)
        here = {l["key"] for l in logs}
        rows = [s for k, s in known.items() if k in here and k not in fresh] + list(fresh.values())
        rows.sort(key=lambda s: s["log"])
        self.refuse_twins(rows)
        self.write_status(rows)
        return report(rows)

    # -- what there is to do --

    def find(self):
        names = list(self.opt.logs)
        if self.opt.list:
            names += [l for l, in (r for r in self.spark.read.text(self.opt.list).collect()) if l.strip()]
        found = {}
        for name in names:
            path = self.path(name.strip())
            for st in path.getFileSystem(self.conf).globStatus(path) or []:
                for log in self.logs_of(st, True):
                    found[log["key"]] = log
        return sorted(found.values(), key=lambda l: l["log"])

    def path(self, name):
        return self.jvm.org.apache.hadoop.fs.Path(name)

    def list(self, path):
        return [s for s in path.getFileSystem(self.conf).listStatus(path) if s.getPath().getName()[0] not in "._"]

    def logs_of(self, st, named):
        if st.isFile():
            return [describe(str(st.getPath().toString()), [st], False)]
        inside = self.list(st.getPath())
        if st.getPath().getName().startswith("eventlog_v2_"):
            return [describe(str(st.getPath().toString()), [s for s in inside if s.isFile()], True)]
        return [l for s in inside for l in self.logs_of(s, False)]

    def finished(self):
        dir = self.path(self.opt.out + "/finished")
        if not dir.getFileSystem(self.conf).exists(dir) or not self.list(dir):
            return {}
        texts = self.sc.wholeTextFiles(self.opt.out + "/finished", 8).values().collect()
        return {s["key"]: s for s in map(json.loads, texts)}

    # -- the work --

    def prepare(self):
        """Makes the data set's directory, and in it the columns of every table. That also shows that the binary runs."""
        fs = self.path(self.opt.out).getFileSystem(self.conf)
        me = {"replay": self.opt.replay}
        with tempfile.TemporaryDirectory() as work:
            trace, tables = os.path.join(work, "t.duckdb"), os.path.join(work, "tables")
            subprocess.run([self.opt.replay, "ingest", "-", "-o", trace, "--tables", tables], check=True, stderr=subprocess.DEVNULL,
                           input='{"Event":"SparkListenerLogStart","Spark Version":"3.5.0"}\n', text=True)
            for name, rows in query(me, trace, TABLES):
                local, file = os.path.join(tables, name + ".parquet"), self.path(f"{self.opt.out}/{name}/{EMPTY}")
                if fs.exists(file):
                    continue
                if int(rows) > 0:
                    query(me, trace, f"COPY (SELECT * FROM \"{name}\" LIMIT 0) TO '{local}' (FORMAT parquet)", "--external-access")
                fs.mkdirs(file.getParent())
                fs.copyFromLocalFile(False, True, self.path("file://" + local), file)

    def work(self, logs):
        if not logs:
            return {}
        self.sc.addFile(self.opt.replay)
        common = dict(out=self.opt.out.rstrip("/"), work=self.opt.work, hadoop=self.opt.hadoop)
        binary, shell, settings = os.path.basename(self.opt.replay), self.opt.shell, self.settings

        def part(tasks):
            from pyspark import SparkFiles
            replay = SparkFiles.get(binary)
            os.chmod(replay, 0o755)
            words = (shlex.split(shell) if shell else default_shell()) + settings
            for t in tasks:
                yield ingest(dict(t, **common, replay=replay, shell=words))

        logs = sorted(logs, key=lambda l: -l["bytes"])  # the longest first: nobody waits for it at the end
        return {s["key"]: s for s in self.sc.parallelize(logs, len(logs)).mapPartitions(part).collect()}

    # -- what came of it --

    def refuse_twins(self, rows):
        """Of two logs with one application the first by name stays."""
        owner = {}
        for s in rows:
            for app in s["apps"]:
                first = owner.setdefault(app, s)
                if first is not s and s["state"] in ("done", "problems"):
                    self.remove(s)
                    s.update(state="refused", why=f"application {app} is also in {first['log']}")

    def delete(self, key):
        fs = self.path(self.opt.out).getFileSystem(self.conf)
        for st in fs.globStatus(self.path(f"{self.opt.out}/*/app=*/{key}.parquet")) or []:
            fs.delete(st.getPath(), False)

    def remove(self, s):
        self.delete(s["key"])
        fs = self.path(self.opt.out).getFileSystem(self.conf)
        mark = dict(s, state="refused")
        out = fs.create(self.path(f"{self.opt.out}/finished/{s['key']}.json"), True)
        out.write(bytearray(json.dumps(mark).encode()))
        out.close()

    def write_status(self, rows):
        schema = "log string, state string, app string, apps array<string>, tasks bigint, problems bigint, bytes bigint, why string, host string"
        data = [tuple(s[f] for f in FIELDS) for s in rows]
        self.spark.createDataFrame(data, schema).coalesce(1).write.mode("overwrite").parquet(self.opt.out + "/status")


def describe(log, files, rolled):
    members = sorted((str(f.getPath().toString()), f.getLen()) for f in files)
    changed = max((f.getModificationTime() for f in files), default=0)
    print_ = hashlib.sha256(json.dumps([members, changed]).encode()).hexdigest()[:24]
    return dict(log=log, key=hashlib.sha256(log.encode()).hexdigest()[:24], print=print_, rolled=rolled,
                members=members, bytes=sum(n for _, n in members))


def default_shell():
    """Hadoop's shell without Hadoop: its classes are among Spark's jars."""
    home = os.environ.get("SPARK_HOME")
    if not home:
        import pyspark
        home = os.path.dirname(pyspark.__file__)
        while not os.path.isdir(os.path.join(home, "jars")) and len(home) > 1:
            home = os.path.dirname(home)
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
    return [java, "-Xmx256m", "-cp", os.path.join(home, "jars", "*"), "org.apache.hadoop.fs.FsShell"]


def report(rows):
    counts = {}
    for s in rows:
        counts[s["state"]] = counts.get(s["state"], 0) + 1
        if s["state"] in ("refused", "failed"):
            say(f"{s['state']}: {s['log']}: {s['why']}")
    say(", ".join(f"{n} {state}" for state, n in sorted(counts.items())))
    return 1 if counts.get("failed") else 3 if len(counts) > ("done" in counts) else 0


def say(text):
    print("fleet: " + text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
