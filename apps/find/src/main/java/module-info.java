/** Which file, block or document holds it? */
module io.bloomery.find {
  requires transitive io.bloomery;
  requires io.bloomery.tools;
  requires static org.jspecify; // annotations, for compilers and editors

  exports io.bloomery.find;
}
