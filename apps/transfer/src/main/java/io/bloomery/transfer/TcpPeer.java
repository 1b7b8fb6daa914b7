package io.bloomery.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** A connection. */
final class TcpPeer extends Peer {

  private final Socket socket;

  TcpPeer(Socket socket, PeerOptions options) throws IOException {
    super(Address.show(socket.getInetAddress(), socket.getPort()));
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(options.millis());
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
  public void close() throws IOException {
    socket.close();
  }
}
