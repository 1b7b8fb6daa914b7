package io.bloomery.transfer;

import io.bloomery.sync.ReconciliationException;
import io.bloomery.sync.SetReconciliation;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Objects;

/**
 * The other side of a set reconciliation.
 *
 * <pre>{@code
 * SetReconciliation mine = SetReconciliation.builder().add("apple").add("pear").build();
 * try (Peer peer = Peer.connect("example.org:7000", PeerOptions.DEFAULT)) {
 *   peer.initiate(mine).onlyThere(); // what this side lacks
 * }
 * }</pre>
 *
 * <p>One side initiates, the other responds; a peer is used for one run. Not thread-safe, except
 * {@link #close}, which ends a run from another thread.
 */
public abstract sealed class Peer implements Closeable permits ProcessPeer, StreamPeer, TcpPeer {

  private final String name;

  Peer(String name) {
    this.name = name;
  }

  /**
   * Connects to a peer that listens.
   *
   * @param address {@code PORT} on this machine, or {@code HOST:PORT}
   * @param options how long to wait
   * @return the peer
   * @throws IllegalArgumentException if the address is invalid
   * @throws IOException if no peer listens there
   */
  public static Peer connect(String address, PeerOptions options) throws IOException {
    InetSocketAddress to = Address.parse(address);
    Socket socket = new Socket();
    try {
      socket.connect(to, options.millis());
      return new TcpPeer(socket, options);
    } catch (IOException e) {
      try {
        socket.close();
      } catch (IOException later) {
        e.addSuppressed(later);
      }
      throw e;
    }
  }

  /**
   * Waits for one peer to connect.
   *
   * @param address {@code PORT} for peers on this machine, or {@code HOST:PORT}; port 0 is a free
   *     one
   * @param options who is told the address, and the time limit for each answer
   * @return the peer
   * @throws IllegalArgumentException if the address is invalid
   * @throws IOException if this process cannot listen there
   */
  public static Peer listen(String address, PeerOptions options) throws IOException {
    try (Listener listener = listener(address, options)) {
      return listener.accept();
    }
  }

  /**
   * Listens for peers, one after the other, so that another is taken after one that failed.
   *
   * @param address {@code PORT} for peers on this machine, or {@code HOST:PORT}; port 0 is a free
   *     one
   * @param options who is told the address, and the time limit for each answer
   * @return a listener
   * @throws IllegalArgumentException if the address is invalid
   * @throws IOException if this process cannot listen there
   */
  public static Listener listener(String address, PeerOptions options) throws IOException {
    return new Listener(Address.parse(address), options);
  }

  /** Takes peers that connect; up to {@value #WAITING} of them wait while one is answered. */
  public static final class Listener implements Closeable {

    private static final int WAITING = 16;

    private final ServerSocket server = new ServerSocket();
    private final PeerOptions options;

    private Listener(InetSocketAddress at, PeerOptions options) throws IOException {
      this.options = options;
      try {
        server.setReuseAddress(true);
        server.bind(at, WAITING);
      } catch (IOException e) {
        server.close();
        throw e;
      }
      options.listening().accept(Address.show(server.getInetAddress(), server.getLocalPort()));
    }

    /**
     * Waits for a peer to connect.
     *
     * @return the peer, which is to be closed
     * @throws IOException if the listener is closed
     */
    public Peer accept() throws IOException {
      return new TcpPeer(server.accept(), options);
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  /**
   * Starts a shell command that communicates through its standard input and output, such as {@code
   * ssh host bloom reconcile keys.txt --serve}. Its standard error is this process's.
   *
   * @param command as {@code /bin/sh -c} takes it
   * @return the peer; closing it ends the command
   * @throws IOException if there is no shell
   */
  public static Peer command(String command) throws IOException {
    return process(command, new ProcessBuilder("/bin/sh", "-c", command));
  }

  /**
   * Starts a process that speaks through its standard input and output. Its standard error is this
   * process's.
   *
   * @param name of the peer, for messages
   * @param builder the command with its environment
   * @return the peer; closing it ends the process
   * @throws IOException if it cannot be started
   */
  public static Peer process(String name, ProcessBuilder builder) throws IOException {
    return new ProcessPeer(name, builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /**
   * A peer at the other end of streams: of a TLS socket, or standard input and output.
   *
   * @param name of the peer, for messages
   * @param in from the peer
   * @param out to the peer
   * @return the peer; closing it leaves the streams open
   */
  public static Peer streams(String name, InputStream in, OutputStream out) {
    return new StreamPeer(name, in, out);
  }

  /**
   * Compares two sets in this process.
   *
   * @param here one side
   * @param there the other one
   * @return what the first side knows afterwards
   * @throws ReconciliationException if the sides are incompatible
   * @throws IOException if no pipe can be opened
   */
  public static SetReconciliation.Result compare(SetReconciliation here, SetReconciliation there)
      throws IOException {
    Objects.requireNonNull(here, "here");
    Objects.requireNonNull(there, "there");
    return LocalRun.run(here, there);
  }

  /**
   * The name of the peer, for messages.
   *
   * @return its address, its command or the given name
   */
  public final String name() {
    return name;
  }

  /**
   * Reconciles a set with a peer that {@linkplain #respond responds}.
   *
   * @param here this side
   * @return what both sides lacked
   * @throws ReconciliationException if the peer is unsuitable, damaged or hostile
   * @throws java.net.SocketTimeoutException if no answer comes in time
   * @throws IOException if the connection breaks, or a command fails
   */
  public SetReconciliation.Result initiate(SetReconciliation here) throws IOException {
    Objects.requireNonNull(here, "here");
    return run(() -> here.initiate(in(), out()));
  }

  /**
   * Reconciles a set with a peer that {@linkplain #initiate initiates}.
   *
   * @param here this side
   * @return what both sides lacked
   * @throws ReconciliationException if the peer is unsuitable, damaged or hostile
   * @throws java.net.SocketTimeoutException if nothing comes in time
   * @throws IOException if the connection breaks, or a command fails
   */
  public SetReconciliation.Result respond(SetReconciliation here) throws IOException {
    Objects.requireNonNull(here, "here");
    return run(() -> here.respond(in(), out()));
  }

  private interface Conversation {
    SetReconciliation.Result hold() throws IOException;
  }

  private SetReconciliation.Result run(Conversation conversation) throws IOException {
    SetReconciliation.Result result;
    try {
      result = conversation.hold();
    } catch (IOException e) {
      throw explained(e);
    }
    awaitEnd();
    return result;
  }

  abstract InputStream in() throws IOException;

  abstract OutputStream out() throws IOException;

  /** Waits for the peer to end, after success. */
  void awaitEnd() throws IOException {}

  /** A better reason than a broken stream, if there is one. */
  IOException explained(IOException e) {
    return e;
  }

  @Override
  public abstract void close() throws IOException;
}
