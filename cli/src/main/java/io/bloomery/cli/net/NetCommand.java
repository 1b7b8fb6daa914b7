package io.bloomery.cli.net;

import io.bloomery.cli.console.ApplicationCommand;
import picocli.CommandLine.Command;

/** {@code bloom net}: captures and routes. */
@Command(
    description = {
      "Answers questions about network traffic, in memory that does not grow with it. Captures are"
          + " pcap or pcapng files, plain or compressed, or standard input."
    },
    footer = {"  tcpdump -w - | bloom net COMMAND -"})
public final class NetCommand extends ApplicationCommand {

  NetCommand() {}
}
