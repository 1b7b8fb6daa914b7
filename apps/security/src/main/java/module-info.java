/** On the list, or seen before? Passwords, revocation, lists, known files, replays and limits. */
module io.bloomery.security {
  requires transitive io.bloomery;
  requires io.bloomery.tools;
  requires static transitive org.jspecify; // annotations, for compilers and editors

  exports io.bloomery.security.deny;
  exports io.bloomery.security.fair;
  exports io.bloomery.security.known;
  exports io.bloomery.security.limit;
  exports io.bloomery.security.password;
  exports io.bloomery.security.replay;
  exports io.bloomery.security.revocation;
  exports io.bloomery.security.version;
}
