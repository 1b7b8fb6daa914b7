/** Every Bloom filter of the literature, behind a few small interfaces. */
module io.bloomery {
  requires com.dynatrace.hash4j;
  requires static org.bouncycastle.provider; // for oblivious queries only
  requires static org.jspecify; // annotations, for compilers and editors

  exports io.bloomery;
  exports io.bloomery.deletable;
  exports io.bloomery.error;
  exports io.bloomery.file;
  exports io.bloomery.foreign;
  exports io.bloomery.foreign.bitcoin;
  exports io.bloomery.foreign.bytes;
  exports io.bloomery.foreign.gnutella;
  exports io.bloomery.foreign.hadoop;
  exports io.bloomery.foreign.mozilla;
  exports io.bloomery.foreign.parquet;
  exports io.bloomery.foreign.redis;
  exports io.bloomery.foreign.registry;
  exports io.bloomery.frequency;
  exports io.bloomery.frozen;
  exports io.bloomery.growing;
  exports io.bloomery.hash;
  exports io.bloomery.lookup;
  exports io.bloomery.membership;
  exports io.bloomery.plan;
  exports io.bloomery.range;
  exports io.bloomery.secure;
  exports io.bloomery.similarity;
  exports io.bloomery.sync;
  exports io.bloomery.sync.transport;
  exports io.bloomery.theory;
  exports io.bloomery.weighted;
  exports io.bloomery.window;

  uses io.bloomery.internal.frame.Registry;

  provides io.bloomery.internal.frame.Registry with
      io.bloomery.internal.registry.AllFilters;
}
