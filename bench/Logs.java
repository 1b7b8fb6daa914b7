import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * Writes logs of a web shop, the same bytes each time: a quarter each of the access log of a web server, the log of an application, that of a service in JSON, and the system's. Each request has its own id; addresses, users, paths and packages are drawn with few frequent and many rare
 * ones.
 *
 * <p>Usage: java Logs.java DIRECTORY FILES MEGABYTES-PER-FILE PATHS.gz NAMES.gz, where the lists
 * have a path of a URL or a name per line.
 */
final class Logs {
  private static final String[] AGENTS = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
        + " Chrome/129.0.0.0 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like"
        + " Gecko) Version/17.5",
    "Debian APT-HTTP/1.3 (2.6.1)",
    "curl/7.88.1",
    "python-requests/2.28.1"
  };
  private static final String[] CLASSES = {
    "o.e.shop.order.OrderService", "o.e.shop.cart.CartController", "o.e.shop.pay.PaymentClient",
    "o.e.shop.stock.StockCache", "o.e.shop.user.SessionFilter", "o.e.shop.mail.MailQueue"
  };
  private static final DateTimeFormatter ACCESS =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter PLAIN =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter ISO =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter SYSTEM =
      DateTimeFormatter.ofPattern("MMM dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final SplittableRandom random;
  private final List<String> paths;
  private final List<String> names;
  private final StringBuilder line = new StringBuilder();
  private long millis;
  private long second; // what the text below stands for
  private String time;

  private Logs(long seed, List<String> paths, List<String> names) {
    this.random = new SplittableRandom(seed);
    this.paths = paths;
    this.names = names;
    this.millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli() + seed * 3_000_000L;
  }

  public static void main(String... args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    int files = Integer.parseInt(args[1]);
    long bytes = Long.parseLong(args[2]) * 1_000_000;
    List<String> paths = lines(args[3]);
    List<String> names = lines(args[4]);
    IntStream.range(0, files)
        .parallel()
        .forEach(i -> new Logs(i, paths, names).write(directory, i, bytes));
  }

  private static List<String> lines(String file) throws IOException {
    List<String> lines = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(new FileInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line.replaceFirst("^https?://[^/]*/|^/", ""));
      }
    }
    return lines;
  }

  private void write(Path directory, int number, long bytes) {
    String[] kinds = {"access", "app", "service", "system"};
    String name = "%s.%03d.log".formatted(kinds[number % 4], number / 4);
    try (OutputStream out = Files.newOutputStream(directory.resolve(name))) {
      for (long written = 0; written < bytes; ) {
        line.setLength(0);
        while (line.length() < 1 << 16) {
          millis += random.nextInt(20);
          switch (number % 4) {
            case 0 -> access();
            case 1 -> app();
            case 2 -> service();
            default -> system();
          }
          line.append('\n');
        }
        byte[] chunk = line.toString().getBytes(StandardCharsets.UTF_8);
        out.write(chunk);
        written += chunk.length;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A number below {@code n}, with few frequent and many rare ones. */
  private int skewed(int n) {
    return (int) Math.exp(random.nextDouble() * Math.log(n)) % n;
  }

  private <T> T any(List<T> list) {
    return list.get(skewed(list.size()));
  }

  private void address() {
    int host = skewed(20_000_000) * 0x2545F491 >>> 1;
    line.append(1 + (host >>> 24)).append('.').append(host >>> 16 & 255).append('.');
    line.append(host >>> 8 & 255).append('.').append(host & 255);
  }

  private void id() {
    String high = Long.toHexString(random.nextLong() | 1L << 63);
    String low = Long.toHexString(random.nextLong() | 1L << 63);
    line.append(high, 0, 8).append('-').append(high, 8, 12).append("-4").append(high, 13, 16);
    line.append('-').append(low, 0, 4).append('-').append(low, 4, 16);
  }

  /** The time up to the second, formatted once for each. */
  private String time(DateTimeFormatter format) {
    if (millis / 1000 != second) {
      second = millis / 1000;
      time = format.format(Instant.ofEpochSecond(second));
    }
    return time;
  }

  /** The milliseconds, three digits. */
  private void fraction() {
    int fraction = (int) (millis % 1000);
    line.append(fraction / 100).append(fraction / 10 % 10).append(fraction % 10);
  }

  private void access() {
    address();
    line.append(" - - [").append(time(ACCESS)).append("] \"GET /").append(any(paths));
    line.append(" HTTP/1.1\" ").append(random.nextInt(50) == 0 ? 404 : 200).append(' ');
    line.append(skewed(5_000_000)).append(" \"-\" \"");
    line.append(AGENTS[random.nextInt(AGENTS.length)]).append("\" ");
    id();
  }

  private void app() {
    line.append(time(PLAIN));
    fraction();
    line.append(random.nextInt(20) == 0 ? " WARN  [" : " INFO  [");
    line.append("http-nio-8080-exec-").append(1 + random.nextInt(200)).append("] ");
    line.append(CLASSES[random.nextInt(CLASSES.length)]).append(" - request=");
    id();
    line.append(" user=").append(skewed(3_000_000)).append(" item=").append(any(names));
    line.append(" took ").append(skewed(20_000)).append(" ms");
    if (random.nextInt(200) == 0) {
      line.append("\njava.net.SocketTimeoutException: Read timed out\n\tat ");
      line.append("java.base/sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:288)\n\tat ");
      line.append("org.apache.http.impl.io.SessionInputBufferImpl.streamRead");
      line.append("(SessionInputBufferImpl.java:137)");
    }
  }

  private void service() {
    line.append("{\"ts\":\"").append(time(ISO));
    fraction();
    line.append("Z\",\"level\":\"info\",\"trace\":\"");
    id();
    line.append("\",\"user\":").append(skewed(3_000_000)).append(",\"client\":\"");
    address();
    line.append("\",\"op\":\"stock.reserve\",\"package\":\"").append(any(names));
    line.append("\",\"quantity\":").append(1 + skewed(100)).append(",\"ok\":");
    line.append(random.nextInt(100) != 0)
        .append(",\"micros\":")
        .append(skewed(2_000_000))
        .append('}');
  }

  private void system() {
    line.append(time(SYSTEM)).append(" node").append(random.nextInt(40));
    switch (random.nextInt(3)) {
      case 0 -> {
        line.append(" sshd[").append(random.nextInt(1 << 22)).append("]: Failed password for ");
        line.append("invalid user ").append(any(names)).append(" from ");
        address();
        line.append(" port ").append(1024 + random.nextInt(64_000)).append(" ssh2");
      }
      case 1 -> {
        line.append(" kernel: [").append(millis / 1000).append('.').append(random.nextInt(999_999));
        line.append("] [UFW BLOCK] IN=eth0 OUT= SRC=");
        address();
        line.append(" DST=10.0.").append(random.nextInt(4)).append('.').append(random.nextInt(256));
        line.append(" LEN=").append(40 + random.nextInt(1460)).append(" TTL=");
        line.append(random.nextInt(256)).append(" ID=").append(random.nextInt(1 << 16));
        line.append(" PROTO=TCP SPT=").append(1024 + random.nextInt(64_000)).append(" DPT=22");
      }
      default -> {
        line.append(" systemd[1]: Started session-").append(random.nextInt(1 << 20));
        line.append(".scope - Session ").append(random.nextInt(1 << 20)).append(" of user ");
        line.append(any(names)).append('.');
      }
    }
  }
}
