package io.bloomery.cli.reconcile;

import io.bloomery.sync.ReconciliationException;
import io.bloomery.sync.ReconciliationException.Reason;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A way to the peer: a pair of streams, the name of the peer for messages, and its end. */
abstract class Link implements AutoCloseable {

  private static final int MOST_PORT = 0xFFFF;
  private static final long PATIENCE_SECONDS = 10;

  private final String name;

  Link(String name) {
    this.name = name;
  }

  /** The peer, for messages. */
  final String name() {
    return name;
  }

  abstract InputStream in() throws IOException;

  abstract OutputStream out() throws IOException;

  /** Waits for the peer's end, after all went well. */
  void finish() {}

  /** A better reason than a broken stream, if there is one. */
  Problem problem(IOException e) {
    return e instanceof SocketTimeoutException
        ? new Problem(name + ": no answer in time; --timeout waits longer")
        : Problem.with(name, e);
  }

  @Override
  public abstract void close();

  /** Standard input and output. */
  static Link standard(Console console) {
    return new Link("standard input") {
      @Override
      InputStream in() {
        return console.in();
      }

      @Override
      OutputStream out() {
        return console.out();
      }

      @Override
      public void close() {}
    };
  }

  /** A command of the shell, through its standard input and output. */
  static Link command(String command) {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command);
    try {
      return new Child(command, builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw Problem.with(command, e);
    }
  }

  /** Waits for one peer at an address, which is told. */
  static Link listen(String address, Duration timeout, Console console) {
    InetSocketAddress at = address(address);
    try (ServerSocket server = new ServerSocket()) {
      server.setReuseAddress(true);
      server.bind(at, 1);
      console.say("listening at " + show(server.getInetAddress(), server.getLocalPort()));
      return new Tcp(server.accept(), timeout);
    } catch (IOException e) {
      throw Problem.with(address, e);
    }
  }

  /** Connects to a peer that listens. */
  static Link connect(String address, Duration timeout) {
    InetSocketAddress to = address(address);
    Socket socket = new Socket();
    try {
      socket.connect(to, millis(timeout));
      return new Tcp(socket, timeout);
    } catch (IOException e) {
      try {
        socket.close();
      } catch (IOException later) {
        e.addSuppressed(later);
      }
      throw Problem.with(address, e);
    }
  }

  private static int millis(Duration timeout) {
    return (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
  }

  private static String show(InetAddress host, int port) {
    String text = host.getHostAddress();
    return (text.indexOf(':') < 0 ? text : "[" + text + "]") + ":" + port;
  }

  /** {@code PORT} on this machine, or {@code HOST:PORT}. */
  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (port >= 0 && port <= MOST_PORT) {
        InetAddress host =
            colon < 0
                ? InetAddress.getLoopbackAddress()
                : InetAddress.getByName(text.substring(0, colon));
        return new InetSocketAddress(host, port);
      }
    } catch (NumberFormatException e) {
      throw new Problem(text + ": not an address such as 7000 or example.org:7000");
    } catch (UnknownHostException e) {
      throw new Problem(text + ": no such host");
    }
    throw new Problem(text + ": ports are 0 to " + MOST_PORT);
  }

  /** A connection. */
  private static final class Tcp extends Link {
    private final Socket socket;

    Tcp(Socket socket, Duration timeout) throws IOException {
      super(show(socket.getInetAddress(), socket.getPort()));
      this.socket = socket;
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(millis(timeout));
    }

    @Override
    InputStream in() throws IOException {
      return socket.getInputStream();
    }

    @Override
    OutputStream out() throws IOException {
      return socket.getOutputStream();
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw Problem.with(name(), e);
      }
    }
  }

  /** A process. */
  private static final class Child extends Link {
    private final Process process;

    Child(String command, Process process) {
      super(command);
      this.process = process;
    }

    @Override
    InputStream in() {
      return process.getInputStream();
    }

    @Override
    OutputStream out() {
      return process.getOutputStream();
    }

    @Override
    void finish() {
      int code = exitCode();
      if (code > 0) {
        throw new Problem(name() + ": ended with exit code " + code);
      }
    }

    @Override
    Problem problem(IOException e) {
      int code = exitCode();
      if (code > 0) {
        return new Problem(name() + ": ended with exit code " + code);
      }
      boolean answered =
          e instanceof ReconciliationException refused && refused.reason() != Reason.TRUNCATED;
      return code < 0 || answered
          ? super.problem(e)
          : new Problem(name() + ": ended before the reconciliation did");
    }

    /** The exit code, or -1 if it does not end. */
    private int exitCode() {
      try {
        process.getOutputStream().close();
      } catch (IOException e) {
        // It did not read to the end, which its exit code explains.
      }
      try {
        return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return -1;
      }
    }

    @Override
    public void close() {
      process.destroy();
    }
  }
}
