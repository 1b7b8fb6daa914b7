/** Which file, block or document holds it? */
module io.bloomery.find {
  requires transitive io.bloomery;
  requires io.bloomery.tools;

  exports io.bloomery.find;
}
