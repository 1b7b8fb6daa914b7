/** Every Bloom filter of the literature, behind a few small interfaces. */
module io.bloomery {
  requires com.dynatrace.hash4j;

  exports io.bloomery;
  exports io.bloomery.deletable;
  exports io.bloomery.foreign;
  exports io.bloomery.frequency;
  exports io.bloomery.frozen;
  exports io.bloomery.growing;
  exports io.bloomery.hash;
  exports io.bloomery.lookup;
  exports io.bloomery.membership;
  exports io.bloomery.plan;
  exports io.bloomery.theory;
  exports io.bloomery.window;
}
