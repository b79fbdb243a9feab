// Streaming workloads of the truth lab: a count per key, and a join of two streams, in
// micro-batches on a 3-second trigger, with the state kept in 16 partitions (settings) and
// saved under the durable directory. Besides the lines of Workloads.scala it prints
//   @batch N        the first job of a batch begins
//   @batchend N     the batch is committed and reported
package lab

import java.util.concurrent.{CountDownLatch, TimeUnit}
import org.apache.spark.SparkConf
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart}
import org.apache.spark.sql.{DataFrame, Dataset, SparkSession}
import org.apache.spark.sql.streaming.{StreamingQueryListener, Trigger}

object Streaming {
  def main(argv: Array[String]): Unit = {
    val name = argv(0)
    val a = new Args(argv.toSeq.drop(1))
    val spark = SparkSession.builder().config(new SparkConf().setAppName(s"lab-stream-$name")).getOrCreate()
    val sc = spark.sparkContext
    sc.addSparkListener(new Progress)
    sc.addSparkListener(new Batches)
    Main.awaitExecutors(sc, sc.getConf.getInt("spark.lab.executors", 1))
    Main.warm(sc, a.int("warm", 1))
    Progress.say(s"@main ${System.currentTimeMillis()}")
    val ends = new Ends(a.int("batches", 8) - 1)
    spark.streams.addListener(ends)
    val frame = name match {
      case "count" => count(spark, a)
      case "join"  => join(spark, a)
      case "plain" => source(spark, a, 0)
      case other   => sys.error(s"no workload $other")
    }
    val query = frame.writeStream.format("noop").queryName(name)
      .outputMode(if (name == "count") "update" else "append")
      .option("checkpointLocation", s"file://${a.str("durable", "/tmp/lab/run/durable")}/stream-$name")
      .trigger(Trigger.ProcessingTime(a.int("trigger_ms", 3000).toLong)).start()
    while (!ends.latch.await(200, TimeUnit.MILLISECONDS) && query.isActive) {}
    query.exception.foreach(e => { e.printStackTrace(); sys.exit(1) })
    query.stop()
    Progress.say(s"@result ${ends.stateRows} ${java.lang.Long.toHexString(ends.inputRows)}")
    spark.stop()
  }

  /** Rows (key, at, pad): with source=micro the same rows in every run, with source=rate as time goes by. */
  def source(spark: SparkSession, a: Args, tag: Int): DataFrame = {
    import spark.implicits._
    val (ms, keys, pad) = (a.int("ms", 300), a.int("keys", 20000).toLong, a.int("pad", 100))
    val n = a.int("parts", 8)
    val in = a.str("source", "micro") match {
      case "rate" => spark.readStream.format("rate").option("rowsPerSecond", a.int("rows", 2000)).option("numPartitions", n)
      case _ => spark.readStream.format("rate-micro-batch").option("rowsPerBatch", a.int("rows", 6000)).option("numPartitions", n)
        .option("startTimestamp", 1700000000000L).option("advanceMillisPerBatch", 3000)
    }
    val rows = in.load().as[(java.sql.Timestamp, Long)]
    work(rows.map { case (at, v) => (java.lang.Long.remainderUnsigned(Work.mix(v + tag), keys), at, ("%x-" format Work.mix(v)) * (pad / 16)) }, ms, 900 + tag)
      .toDF("key", "at", "pad")
  }

  type Row3 = (Long, java.sql.Timestamp, String)
  private def work(in: Dataset[Row3], ms: Int, tag: Int): Dataset[Row3] = {
    import in.sparkSession.implicits._
    in.mapPartitions { it =>
      val rows = it.toArray
      Work.run("rest", tag, org.apache.spark.TaskContext.getPartitionId(), ms)
      rows.iterator
    }
  }

  /** One running total a key; the longest pad seen stands with it, so that a state row has a size. */
  def count(spark: SparkSession, a: Args): DataFrame = {
    import spark.implicits._
    val ms = a.int("ms", 300)
    import org.apache.spark.sql.functions.{count => rows, max}
    source(spark, a, 0).groupBy("key").agg(rows("*").as("n"), max("pad").as("pad"))
      .as[(Long, Long, String)].mapPartitions { it =>
        val rows = it.toArray
        Work.run("rest", 910, org.apache.spark.TaskContext.getPartitionId(), ms)
        rows.iterator
      }.toDF("key", "n", "pad")
  }

  /** Rows of one stream wait for those of the other with the same key, nine seconds at most. */
  def join(spark: SparkSession, a: Args): DataFrame = {
    import org.apache.spark.sql.functions.expr
    val left = source(spark, a, 0).toDF("k", "a", "p").withWatermark("a", "3 seconds")
    val right = source(spark, a, 7777).toDF("key", "b", "pad").withWatermark("b", "3 seconds")
    left.join(right, expr("k = key AND b BETWEEN a - INTERVAL 9 SECONDS AND a + INTERVAL 9 SECONDS"))
  }
}

/** Says when the first job of a batch begins. */
class Batches extends SparkListener {
  private var last = -1L
  override def onJobStart(e: SparkListenerJobStart): Unit = {
    val id = Option(e.properties).flatMap(p => Option(p.getProperty("streaming.sql.batchId")))
    id.map(_.toLong).filter(_ > last).foreach { b => last = b; Progress.say(s"@batch $b") }
  }
}

/** Says when batches end, and counts what the query has read and keeps. */
class Ends(lastBatch: Long) extends StreamingQueryListener {
  import StreamingQueryListener._
  val latch = new CountDownLatch(1)
  @volatile var stateRows = 0L
  @volatile var inputRows = 0L
  override def onQueryStarted(e: QueryStartedEvent): Unit = ()
  override def onQueryTerminated(e: QueryTerminatedEvent): Unit = ()
  override def onQueryProgress(e: QueryProgressEvent): Unit = {
    val p = e.progress
    if (p.durationMs.containsKey("addBatch")) {
      inputRows += p.numInputRows
      stateRows = p.stateOperators.map(_.numRowsTotal).sum
      Progress.say(s"@batchend ${p.batchId}")
      if (p.batchId >= lastBatch) latch.countDown()
    }
  }
}
