/** What is in this traffic? Captures, heavy flows, duplicates, connections and routes. */
module io.bloomery.net {
  requires transitive io.bloomery;
  requires io.bloomery.tools;
  requires static transitive org.jspecify; // annotations, for compilers and editors

  exports io.bloomery.net.capture;
  exports io.bloomery.net.classify;
  exports io.bloomery.net.dups;
  exports io.bloomery.net.flows;
  exports io.bloomery.net.index;
  exports io.bloomery.net.match;
  exports io.bloomery.net.reach;
  exports io.bloomery.net.route;
  exports io.bloomery.net.scan;
  exports io.bloomery.net.state;
  exports io.bloomery.net.trace;
}
