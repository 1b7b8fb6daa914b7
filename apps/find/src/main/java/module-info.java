/** Which file, block or row holds a key? */
module io.bloomery.find {
  requires io.bloomery;
  requires io.bloomery.tools;
}
