package io.bloomery.cli.reconcile;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.cli.BloomProcess;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReconcileCommandTest {

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  /** The lines {@code from … to - 1}, with various lengths. */
  private static String lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "line " + i + "-".repeat(i % 40) + "\n")
        .collect(Collectors.joining());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "full", "filter", "tree", "invertible", "rateless"})
  void everyMethodReconcilesTwoFiles(String method) throws IOException {
    Path a = write("a", lines(0, 1_000));
    Path b = write("b", lines(3, 1_002) + "line 1001-\nother\n");
    Bloom.Run run =
        method.isEmpty() ? bloom("reconcile", a, b) : bloom("reconcile", a, b, "--method", method);
    assertThat(run.err()).contains("1,000 keys against 1,000: 3 only here, 3 only there; ", method);
    assertThat(run.code()).isZero();
    assertThat(run.out().lines())
        .contains("< line 0", "< line 1-", "< line 2--", "> other", "> line 1001-")
        .isSorted()
        .hasSize(6);
  }

  /** A command line that runs this program in another process. */
  private static String bloomCommand() {
    return "'%s' -cp '%s' io.bloomery.cli.Main"
        .formatted(
            Path.of(System.getProperty("java.home"), "bin", "java"),
            System.getProperty("java.class.path"));
  }

  @Test
  void reconcilesWithAnotherProcess() throws IOException {
    Path a = write("a", lines(0, 500));
    Path b = write("b", lines(1, 501));
    Path out = directory.resolve("out");
    String serve = bloomCommand() + " reconcile " + b + " --serve -q";
    Bloom.Run run = bloom("reconcile", a, "--peer", serve, "-o", out);
    assertThat(run.err()).startsWith("500 keys against 500: 1 only here, 1 only there; ");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(Files.readString(out)).isEqualTo(lines(500, 501));
    assertError(bloom("reconcile", a, "--peer", serve, "-o", out), "out: exists; --force");
  }

  @Test
  void reconcilesOverTcp() throws Exception {
    Path a = write("a", lines(0, 300));
    Path b = write("b", lines(2, 301));
    try (BloomProcess listener = BloomProcess.start("reconcile", a, "--listen", "0")) {
      listener.awaitErr("listening at 127.0.0.1:");
      String address = listener.err().strip().replace("listening at ", "");
      Bloom.Run run = bloom("reconcile", b, "--connect", address, "-c", "--json");
      Map<?, ?> json = Json.object(run.out());
      assertThat(run.code()).isZero();
      assertThat(json.get("peer")).isEqualTo(address);
      assertThat(json.get("onlyHere").toString()).startsWith("1");
      assertThat(json.get("onlyThere").toString()).startsWith("2");
      assertThat(json.get("exact")).isEqualTo(true);
      assertThat(listener.exitCode()).isZero();
      assertThat(listener.out().lines()).containsExactly("< line 0", "< line 1-", "> " + line300());
      assertThat(listener.err()).contains("300 keys against 299: 2 only here, 1 only there; ");
    }
  }

  /** After 54 bytes that request a gigabyte and an HTTP request, the third peer is still served. */
  @Test
  void aListenerSurvivesHostilePeers() throws Exception {
    Path a = write("a", lines(0, 300));
    try (BloomProcess listener =
        BloomProcess.start("reconcile", a, "--listen", "0", "--timeout", "30s")) {
      listener.awaitErr("listening at 127.0.0.1:");
      String address = listener.err().strip().replace("listening at ", "");
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      String hello = "0125" + "424c5243" + "010000" + "c0b19f05" + "0808" + "00".repeat(24);
      send(port, sealed(hello), sealed("0305" + "00" + "c0b19f05"));
      listener.awaitErr("symbols");
      assertThat(listener.err())
          .containsPattern("bloom: warning: 127.0.0.1:\\d+: the peer requests 11000000 ")
          .contains("waiting for another peer");
      send(port, "GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
      listener.awaitErr("not a peer?");
      assertThat(bloom("reconcile", a, "--connect", address).code()).isZero();
      assertThat(listener.exitCode()).isZero();
    }
  }

  /** A message with its checksum. */
  private static byte[] sealed(String hex) {
    byte[] message = HexFormat.of().parseHex(hex);
    CRC32C check = new CRC32C();
    check.update(message);
    return ByteBuffer.allocate(message.length + 4)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(message)
        .putInt((int) check.getValue())
        .array();
  }

  private static void send(int port, byte[]... messages) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      for (byte[] message : messages) {
        socket.getOutputStream().write(message);
      }
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    }
  }

  private static String line300() {
    return lines(300, 301).strip();
  }

  @Test
  void equalAndEmptyFilesAreReconciled() throws IOException {
    Path a = write("a", "pear\nfig\n");
    Path b = write("b", "fig\r\npear\r\n");
    Path empty = write("empty", "");
    assertThat(bloom("reconcile", a, b).out()).isEmpty();
    assertThat(bloom("reconcile", a, b, "-q").err()).isEmpty();
    assertThat(bloom("reconcile", empty, empty, "-c").out())
        .startsWith("0 keys against 0: 0 only here, 0 only there; ");
    assertThat(bloomWith("pear\n", "reconcile", empty, "-").out()).isEqualTo("> pear\n");
    assertThat(bloom("reconcile", a, empty, "--method", "tree", "--approximate").out())
        .isEqualTo("< fig\n< pear\n");
  }

  @Test
  void mistakesAreErrors() throws IOException {
    Path a = write("a", "pear\n");
    assertError(
        bloom("reconcile", a), "give the peer: PEER, --peer, --listen, --connect or --serve");
    assertError(bloom("reconcile", a, a, "--serve"), "PEER is a file; leave it out");
    assertError(bloom("reconcile", "-", "-"), "only one of the two can be standard input");
    assertError(bloom("reconcile", "-", "--serve"), "FILE cannot be -");
    assertError(bloom("reconcile", a, "--serve", "--json"), "--count and --json print there");
    assertError(bloom("reconcile", a, "--connect", "nowhere"), "nowhere: not an address");
    assertError(bloom("reconcile", a, "--connect", "70000"), "70000: ports are 0 to 65535");
    assertError(bloom("reconcile", a, "--peer", "exit 3"), "exit 3: ended with exit code 3");
    String greeter = "head -c 1 >/dev/null; echo hello";
    assertError(bloom("reconcile", a, "--peer", greeter), greeter + ": ", "not a peer?");
    assertError(bloom("reconcile", a, "--peer", "true"), "true: ended before the reconciliation");
    assertError(bloom("reconcile", a, "--serve"), "standard input: ", "ended too early");
    assertError(bloom("reconcile", a, a, "--method", "rsync"), "'rsync' is not one of: full, ");
    assertError(bloomWith("GET / HTTP/1.0\r\n\r\n", "reconcile", a, "--serve"), "not a peer?");
  }

  @Test
  void aSilentPeerTimesOut() throws Exception {
    Path a = write("a", "pear\n");
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + silent.getLocalPort();
      assertError(
          bloom("reconcile", a, "--connect", address, "--timeout", "100ms"),
          address + ": no answer in time; --timeout waits longer");
    }
  }
}
