/**
 * Which formats of other systems are there, and which one is a file in? {@link
 * io.bloomery.foreign.registry.ForeignFormats} lists them. The registry has a package of its own
 * because it depends on every format, and no format depends on it.
 */
@NullMarked
package io.bloomery.foreign.registry;

import org.jspecify.annotations.NullMarked;
