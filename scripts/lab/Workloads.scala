// Workloads of the truth lab. Each is a small program whose pieces rest a time
// that is fixed by (tag, partition), so a piece that runs again takes as long
// as before, and several slots fit on few cores.
//
//   lab.Main WORKLOAD key=value...
//
// Lines on stdout that begin with '@' tell the lab how far the run is:
//   @plan N          task ends of the main phase when nothing is lost
//   @main MS         the main phase begins (executors are up and warm)
//   @stage ID ATTEMPT TASKS | @task STAGE ATTEMPT OK | @job ID | @batch N
//   @result ROWS HASH
package lab

import org.apache.spark.{HashPartitioner, SparkConf, SparkContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler._
import org.apache.spark.sql.SparkSession
import org.apache.spark.storage.StorageLevel

/** What one piece does: rest, spin or write, for a time that its place decides. */
object Work {
  /** A 64-bit mixer (splitmix64): neighbours land anywhere. */
  def mix(x: Long): Long = {
    var z = x + 0x9e3779b97f4a7c15L
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL
    z ^ (z >>> 31)
  }

  /** Between 0.6 and 1.4 times ms, the same at every run of (tag, partition). */
  def span(tag: Int, partition: Int, ms: Int): Long = {
    val u = (mix(tag * 1000003L + partition) >>> 11).toDouble / (1L << 53)
    (ms * (0.6 + 0.8 * u)).toLong
  }

  def run(kind: String, tag: Int, partition: Int, ms: Int): Unit = {
    val t = span(tag, partition, ms)
    kind match {
      case "cpu"  => spin(t * 250000L)
      case "disk" => write(t * 40L)
      case _      => Thread.sleep(t)
    }
  }

  @volatile var sink = 0L
  private def spin(n: Long): Unit = {
    var i = 0L; var x = n
    while (i < n) { x = mix(x); i += 1 }
    sink = x
  }

  /** Writes kib KiB in the worker's own directory, to the device, and removes them. */
  private def write(kib: Long): Unit = {
    val f = java.io.File.createTempFile("scratch", ".bin", new java.io.File("."))
    val out = new java.io.RandomAccessFile(f, "rw")
    try {
      val block = new Array[Byte](64 << 10)
      var left = kib
      while (left > 0) { out.write(block); left -= 64; if (left % 1024 < 64) out.getFD.sync() }
      out.getFD.sync()
    } finally { out.close(); f.delete() }
  }
}

/** Tells the lab, on stdout, what the scheduler's listener bus tells us. */
class Progress extends SparkListener {
  private def say(s: String): Unit = Progress.say(s)
  override def onJobStart(e: SparkListenerJobStart): Unit = say(s"@job ${e.jobId}")
  override def onStageSubmitted(e: SparkListenerStageSubmitted): Unit =
    say(s"@stage ${e.stageInfo.stageId} ${e.stageInfo.attemptNumber()} ${e.stageInfo.numTasks}")
  override def onTaskEnd(e: SparkListenerTaskEnd): Unit =
    say(s"@task ${e.stageId} ${e.stageAttemptId} ${if (e.reason == org.apache.spark.Success) 1 else 0}")
}

object Progress {
  def say(s: String): Unit = synchronized { System.out.println(s); System.out.flush() }
}

/** key=value arguments with defaults. */
class Args(list: Seq[String]) {
  private val m = list.map { a => val i = a.indexOf('='); a.take(i) -> a.drop(i + 1) }.toMap
  def int(k: String, d: Int): Int = m.get(k).map(_.toInt).getOrElse(d)
  def str(k: String, d: String): String = m.getOrElse(k, d)
}

/** The pieces workloads are made of. */
class Kit(val sc: SparkContext, a: Args) {
  type Rows = RDD[(Long, Long)]
  val parts: Int = a.int("parts", 24)
  val rounds: Int = a.int("rounds", 5)
  val ms: Int = a.int("ms", 600)
  val perPart: Int = a.int("rows", 24 * parts)
  val kind: String = a.str("work", "rest")
  val keys: String = a.str("keys", "dense")   // dense | sparse | skew
  val durable: String = a.str("durable", "/tmp/lab/run/durable")

  /** First round: rows that did not exist before. */
  def source(tag: Int, n: Int = parts, ms: Int = ms): Rows = {
    val (p0, r0, kind0, keys0) = (parts, perPart, kind, keys)
    sc.parallelize(0 until n, n).mapPartitionsWithIndex { (p, _) =>
      Work.run(kind0, tag, p, ms)
      Iterator.tabulate(r0)(i => (Kit.firstKey(keys0, p, i, p0), 1L))
    }
  }

  /** Work on the pieces of an RDD as they are: no shuffle. Reads all its input, then works. */
  def step(in: Rows, tag: Int, ms: Int = ms): Rows = {
    val (p0, kind0, keys0, r0) = (parts, kind, keys, perPart)
    in.mapPartitionsWithIndex { (p, it) =>
      val rows = it.toArray
      val t = if (keys0 == "skew") math.max(ms / 8, (ms.toLong * rows.length / r0).toInt) else ms
      Work.run(kind0, tag, p, t)
      rows.iterator.map { case (k, v) => (Kit.nextKey(keys0, k, tag, p0), v + (k & 7)) }
    }
  }

  def spread(in: Rows, n: Int = parts): Rows = in.partitionBy(new HashPartitioner(n))

  /** One round: a shuffle, then work. */
  def round(in: Rows, tag: Int, n: Int = parts, ms: Int = ms): Rows = step(spread(in, n), tag, ms)

  /** Rows and an order-free hash of what an RDD holds: what came out, for comparing runs. */
  def digest(in: Rows): (Long, Long) =
    in.mapPartitions { it =>
      var n = 0L; var h = 0L
      it.foreach { case (k, v) => n += 1; h += Work.mix(k ^ Work.mix(v)) }
      Iterator((n, h))
    }.collect().foldLeft((0L, 0L)) { case ((n, h), (m, g)) => (n + m, h + g) }
}

object Kit {
  /** sparse: all keys of a piece are equal modulo n, so one reader gets them all. */
  def firstKey(keys: String, p: Int, i: Int, n: Int): Long = keys match {
    case "sparse" => p.toLong + n.toLong * i
    case _        => Work.mix(p * 1000000L + i) >>> 1
  }
  def nextKey(keys: String, k: Long, tag: Int, n: Int): Long = keys match {
    case "sparse" => k * 31 + tag
    case "skew"   => val h = Work.mix(k + tag) >>> 1; if (h % 4 == 0) (h / 4) % 2 * n else h
    case _        => Work.mix(k + tag) >>> 1
  }
}

object Main {
  def main(argv: Array[String]): Unit = {
    val name = argv(0)
    val a = new Args(argv.toSeq.drop(1))
    val spark = SparkSession.builder().config(new SparkConf().setAppName(s"lab-$name")).getOrCreate()
    val sc = spark.sparkContext
    sc.addSparkListener(new Progress)
    awaitExecutors(sc, sc.getConf.getInt("spark.lab.executors", 1))
    warm(sc, a.int("warm", 2))
    val k = new Kit(sc, a)
    // A long property stands in every JobStart and StageSubmitted line: it makes a log roll early.
    if (a.int("pad_kib", 0) > 0) sc.setLocalProperty("lab.padding", "x" * (a.int("pad_kib", 0) << 10))
    Progress.say(s"@main ${System.currentTimeMillis()}")
    val (rows, hash) = Workloads.run(name, k, a, spark)
    Progress.say(s"@result $rows ${java.lang.Long.toHexString(hash)}")
    spark.stop()
  }

  def awaitExecutors(sc: SparkContext, n: Int): Unit = {
    val until = System.currentTimeMillis() + 120000
    while (!sc.isStopped && sc.statusTracker.getExecutorInfos.length - 1 < n && System.currentTimeMillis() < until) Thread.sleep(100)
  }

  /** Start-up distorts: the first pieces of a fresh worker take several times as long. */
  def warm(sc: SparkContext, perSlot: Int): Unit = if (perSlot > 0) {
    val n = perSlot * math.max(8, sc.defaultParallelism)
    val k = new Kit(sc, new Args(Seq(s"parts=$n", "rows=64", "ms=120")))
    k.digest(k.round(k.round(k.source(901), 902), 903))
    Thread.sleep(500) // let the listener bus drain, so that no warm-up task counts as the main phase
  }
}

object Workloads {
  def plan(n: Int): Unit = Progress.say(s"@plan $n")

  def run(name: String, k: Kit, a: Args, spark: SparkSession): (Long, Long) = name match {
    case "linear"     => linear(k)
    case "diamond"    => diamond(k)
    case "twice"      => twice(k)
    case "cached"     => cached(k, a)
    case "reuse"      => reuse(k, a)
    case "checkpoint" => checkpoint(k)
    case "slices"     => slices(k, a)
    case "sql"        => Sql.run(k, a, spark)
    case other        => sys.error(s"no workload $other")
  }

  /** Rounds in a row. */
  def linear(k: Kit): (Long, Long) = {
    plan(k.parts * (k.rounds + 1))
    k.digest((1 to k.rounds).foldLeft(k.source(100))((r, i) => k.round(r, 100 + i)))
  }

  /** One shuffle read by two stages, which then join. */
  def diamond(k: Kit): (Long, Long) = {
    plan(k.parts * 6)
    val s = k.spread(k.round(k.source(200), 201))
    val left = k.step(s, 202)
    val right = k.step(s, 203)
    val both = left.cogroup(right, new HashPartitioner(k.parts)).mapPartitions(
      _.flatMap { case (key, (x, y)) => x.iterator.map(v => (key, v)) ++ y.iterator.map(v => (key, v * 3)) })
    k.digest(k.round(k.step(both, 204), 205))
  }

  /** Two shuffles from one RDD, of different width, joined later. */
  def twice(k: Kit): (Long, Long) = {
    plan(k.parts * 5 + k.parts / 2)
    val base = k.step(k.spread(k.source(300)), 301)
    val wide = k.round(base, 302)
    val narrow = k.round(base, 303, n = k.parts / 2)
    val both = wide.cogroup(narrow, new HashPartitioner(k.parts)).mapPartitions(
      _.flatMap { case (key, (x, y)) => x.iterator.map(v => (key, v)) ++ y.iterator.map(v => (key, v * 3)) })
    k.digest(k.step(both, 304))
  }

  /** Jobs that iterate over a cached data set. */
  def cached(k: Kit, a: Args): (Long, Long) = {
    val jobs = a.int("jobs", 4)
    plan(k.parts * (3 + 2 * jobs))
    val level = StorageLevel.fromString(a.str("level", "MEMORY_ONLY"))
    val data = k.round(k.round(k.source(400), 401), 402).persist(level)
    data.count()
    (1 to jobs).map { i =>
      k.digest(k.round(k.step(data, 410 + i, k.ms / 2), 430 + i, ms = k.ms / 2))
    }.reduce((x, y) => (x._1 + y._1, Work.mix(x._2) + y._2))
  }

  /** One shuffle re-used by many jobs: its stages are skipped from the second on. */
  def reuse(k: Kit, a: Args): (Long, Long) = {
    val jobs = a.int("jobs", 6)
    plan(k.parts * (2 + jobs))
    val s = k.spread(k.round(k.source(500), 501))
    (1 to jobs).map { i =>
      if (i > 1) Thread.sleep(a.int("pause", 0))
      k.digest(k.step(s, 510 + i))
    }.reduce((x, y) => (x._1 + y._1, Work.mix(x._2) + y._2))
  }

  /** Rounds with a reliable checkpoint in the middle, which cuts what can be lost. */
  def checkpoint(k: Kit): (Long, Long) = {
    k.sc.setCheckpointDir(s"file://${k.durable}/checkpoint")
    val half = k.rounds / 2
    plan(k.parts * (k.rounds + 3))
    val first = k.spread((1 until half).foldLeft(k.source(600))((r, i) => k.round(r, 600 + i)))
    first.checkpoint()
    first.count()
    k.digest((half to k.rounds).foldLeft(k.step(first, 650))((r, i) => k.round(r, 600 + i)))
  }

  /** The run cut into consecutive runs over a share of the input, each landing durable output. */
  def slices(k: Kit, a: Args): (Long, Long) = {
    val n = a.int("slices", 3)
    val width = math.max(1, k.parts / n)
    plan(n * width * (k.rounds + 1) + n * width)
    (0 until n).foreach { s =>
      (1 to k.rounds).foldLeft(k.source(700 + 20 * s, width))((r, i) => k.round(r, 700 + 20 * s + i, n = width))
        .saveAsObjectFile(s"file://${k.durable}/slice-$s")
    }
    k.digest(k.sc.union((0 until n).map(s => k.sc.objectFile[(Long, Long)](s"file://${k.durable}/slice-$s"))))
  }
}

/** SQL with adaptive execution: two aggregations and a sort-merge join; reads are coalesced as the engine likes. */
object Sql {
  def run(k: Kit, a: Args, spark: SparkSession): (Long, Long) = {
    import spark.implicits._
    val (ms, kind, n) = (k.ms, k.kind, k.parts)
    def work(tag: Int): (Iterator[(Long, Long)]) => Iterator[(Long, Long)] = { it =>
      val rows = it.toArray
      Work.run(kind, tag, org.apache.spark.TaskContext.getPartitionId(), ms)
      rows.iterator
    }
    def table(tag: Int, rows: Long) =
      spark.range(0, rows, 1, n).map(i => (Work.mix(i + tag) >>> 40, i.toLong)).mapPartitions(work(tag)).toDF("k", "v")
    val rows = k.perPart.toLong * n
    Workloads.plan(a.int("plan", n * 5))
    table(800, rows).createOrReplaceTempView("facts")
    table(801, rows / 4).createOrReplaceTempView("dims")
    val sums = spark.sql("SELECT k % 4096 AS k, sum(v) AS v FROM facts GROUP BY k % 4096")
      .as[(Long, Long)].mapPartitions(work(802)).toDF("k", "v")
    sums.createOrReplaceTempView("sums")
    val joined = spark.sql(
      "SELECT s.k % 512 AS k, sum(s.v + d.v) AS v FROM sums s JOIN dims d ON s.k = d.k % 4096 GROUP BY s.k % 512")
      .as[(Long, Long)].mapPartitions(work(803)).toDF("k", "v")
    val out = joined.orderBy("k").collect()
    (out.length.toLong, out.map(r => Work.mix(r.getLong(0) ^ Work.mix(r.getLong(1)))).sum)
  }
}
