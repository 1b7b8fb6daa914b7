/** Which file, block or document holds it? */
module io.bloomery.find {
  requires transitive io.bloomery;
  requires transitive io.bloomery.tools;

  exports io.bloomery.find;
}
