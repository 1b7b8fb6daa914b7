package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A {@code bloom} in a separate process, to which the test writes input piece by piece. */
public final class BloomProcess implements AutoCloseable {

  private static final long MINUTES = 2;

  private final Process process;
  private final OutputStream in;
  private final CompletableFuture<String> out;

  @SuppressWarnings("JdkObsolete") // two threads
  private final StringBuffer err = new StringBuffer();

  private final CompletableFuture<Void> errEnd;

  private BloomProcess(Process process) {
    this.process = process;
    this.in = process.getOutputStream();
    this.out = CompletableFuture.supplyAsync(() -> read(process.getInputStream()));
    this.errEnd = CompletableFuture.runAsync(() -> copy(process.getErrorStream()));
  }

  /** Starts {@code bloom} with these arguments. */
  public static BloomProcess start(Object... words) throws IOException {
    return startMain("io.bloomery.cli.Main", words);
  }

  /** Starts another main class of the tests. */
  public static BloomProcess startMain(String main, Object... words) throws IOException {
    List<String> command = new ArrayList<>(FastStart.command());
    command.addAll(List.of("-Xmx256m", main));
    Arrays.stream(words).map(Object::toString).forEach(command::add);
    return new BloomProcess(new ProcessBuilder(command).start());
  }

  private static String read(InputStream stream) {
    try (stream) {
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void copy(InputStream stream) {
    try (stream) {
      byte[] bytes = new byte[1024];
      for (int n = stream.read(bytes); n >= 0; n = stream.read(bytes)) {
        err.append(new String(bytes, 0, n, UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes to its standard input. */
  public void type(String text) throws IOException {
    in.write(text.getBytes(UTF_8));
    in.flush();
  }

  /** Ends its standard input. */
  public void endInput() throws IOException {
    in.close();
  }

  /** What it has written to standard error so far. */
  public String err() {
    return err.toString();
  }

  /** Waits for its end and returns all of standard output. */
  public String out() {
    return out.join();
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it is still running. */
  public boolean isRunning() {
    return process.isAlive();
  }

  /** Waits until it ends, but no longer than this. */
  public void await(Duration duration) throws InterruptedException {
    process.waitFor(duration.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Sends SIGTERM. */
  public void terminate() {
    process.toHandle().destroy(); // Process.destroy() would also close the streams
  }

  /** Sends SIGKILL. */
  public void kill() {
    process.toHandle().destroyForcibly();
  }

  /** Waits until standard error contains a text. */
  public void awaitErr(String text) throws InterruptedException {
    await(() -> err().contains(text) || !isRunning(), text);
    errEndIfOver();
    if (!err().contains(text)) {
      throw new AssertionError("no '" + text + "' in: " + err());
    }
  }

  private void errEndIfOver() {
    if (!isRunning()) {
      errEnd.join();
    }
  }

  /** Waits for its end and returns its exit code. */
  public int exitCode() throws InterruptedException {
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      throw new AssertionError("still running; it said: " + err());
    }
    errEnd.join();
    return process.exitValue();
  }

  /** Waits until a condition holds. */
  public static void await(BooleanSupplier condition, String what) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("timed out waiting for: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
