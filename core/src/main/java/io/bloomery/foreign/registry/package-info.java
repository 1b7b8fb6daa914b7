/**
 * Which formats of other systems are there, and which one is a file in? {@link
 * io.bloomery.foreign.registry.ForeignFormats} lists them. The registry has a package of its own
 * because it knows every format, and no format knows it.
 */
package io.bloomery.foreign.registry;
