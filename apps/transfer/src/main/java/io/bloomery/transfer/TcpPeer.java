package io.bloomery.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** A connection. A peer that is silent, trickles or does not read what it is sent is cut off. */
final class TcpPeer extends Peer {

  private final Socket socket;
  private final Patience patience;

  TcpPeer(Socket socket, PeerOptions options) throws IOException {
    super(Address.show(socket.getInetAddress(), socket.getPort()));
    this.socket = socket;
    this.patience = new Patience(options.timeout(), socket);
    socket.setTcpNoDelay(true);
  }

  @Override
  InputStream in() throws IOException {
    return patience.with(socket.getInputStream());
  }

  @Override
  OutputStream out() throws IOException {
    return patience.with(socket.getOutputStream());
  }

  @Override
  void awaitEnd() {
    patience.end();
  }

  @Override
  IOException explained(IOException e) {
    patience.end();
    if (!patience.isOver()) {
      return e;
    }
    SocketTimeoutException late = new SocketTimeoutException("no answer in time");
    late.initCause(e);
    return late;
  }

  @Override
  public void close() throws IOException {
    patience.end();
    socket.close();
  }
}
