// Writes the genuine files of this directory with the libraries of a Spark 3.5.5
// distribution, set up as its CompressionCodec does:
//
//	javac -cp "$SPARK_HOME/jars/*" -d /tmp Genuine.java
//	java -cp "$SPARK_HOME/jars/*:/tmp" Genuine DIRECTORY
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
public class Genuine {
  static List<String> lines() {
    Random r = new Random(7);
    List<String> l = new ArrayList<>();
    l.add("{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"3.5.5\"}");
    l.add("{\"Event\":\"SparkListenerApplicationStart\",\"App Name\":\"sample\",\"App ID\":\"app-20260101000000-0001\",\"Timestamp\":1767225600000,\"User\":\"user\"}");
    for (int i = 0; i < 240; i++) {
      long launch = 1767225600000L + i * 37L;
      l.add("{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":" + (i / 40) + ",\"Stage Attempt ID\":0,\"Task Type\":\"ShuffleMapTask\",\"Task End Reason\":{\"Reason\":\"Success\"},\"Task Info\":{\"Task ID\":" + i + ",\"Index\":" + (i % 40) + ",\"Attempt\":0,\"Launch Time\":" + launch + ",\"Executor ID\":\"" + (i % 4) + "\",\"Host\":\"h" + (i % 4) + "\",\"Locality\":\"ANY\",\"Speculative\":false,\"Finish Time\":" + (launch + r.nextInt(5000)) + ",\"Failed\":false,\"Killed\":false},\"Pad\":\"" + Long.toHexString(r.nextLong()) + "\"}");
    }
    l.add("{\"Event\":\"SparkListenerApplicationEnd\",\"Timestamp\":1767225700000}");
    return l;
  }
  static void write(OutputStream out, List<String> lines, int flushEvery) throws IOException {
    int i = 0;
    for (String s : lines) {
      out.write((s + "\n").getBytes(StandardCharsets.UTF_8));
      if (++i % flushEvery == 0) out.flush();
    }
    out.close();
  }
  public static void main(String[] a) throws Exception {
    String d = a[0] + "/";
    List<String> l = lines();
    write(new FileOutputStream(d + "genuine.json"), l, 1000000);
    net.jpountz.lz4.LZ4Factory f = net.jpountz.lz4.LZ4Factory.fastestInstance();
    net.jpountz.xxhash.XXHashFactory x = net.jpountz.xxhash.XXHashFactory.fastestInstance();
    write(new net.jpountz.lz4.LZ4BlockOutputStream(new FileOutputStream(d + "genuine.lz4"), 32768, f.fastCompressor(), x.newStreamingHash32(0x9747b28c).asChecksum(), false), l, 50);
    write(new org.xerial.snappy.SnappyOutputStream(new FileOutputStream(d + "genuine.snappy"), 32768), l, 50);
    com.ning.compress.lzf.LZFOutputStream z = new com.ning.compress.lzf.LZFOutputStream(new FileOutputStream(d + "genuine.lzf"));
    z.setFinishBlockOnFlush(true);
    write(z, l, 50);
    com.github.luben.zstd.ZstdOutputStreamNoFinalizer s = new com.github.luben.zstd.ZstdOutputStreamNoFinalizer(new FileOutputStream(d + "genuine.zstd"), 1);
    s.setCloseFrameOnFlush(true);
    write(new BufferedOutputStream(s, 32768), l, 50);
    // two streams one after the other, as a log that was opened again
    List<String> h1 = l.subList(0, 120), h2 = l.subList(120, l.size());
    write(new net.jpountz.lz4.LZ4BlockOutputStream(new FileOutputStream(d + "genuine-twice.lz4"), 1024, f.fastCompressor(), x.newStreamingHash32(0x9747b28c).asChecksum(), true), h1, 50);
    write(new net.jpountz.lz4.LZ4BlockOutputStream(new FileOutputStream(d + "genuine-twice.lz4", true), 32768, f.highCompressor(), x.newStreamingHash32(0x9747b28c).asChecksum(), true), h2, 50);
    write(new org.xerial.snappy.SnappyOutputStream(new FileOutputStream(d + "genuine-twice.snappy"), 32768), h1, 50);
    write(new org.xerial.snappy.SnappyOutputStream(new FileOutputStream(d + "genuine-twice.snappy", true), 32768), h2, 50);
  }
}
