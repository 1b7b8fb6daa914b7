/** Uses the library as a module; on the class path this descriptor does not count. */
module consumer {
  requires io.bloomery;
}
