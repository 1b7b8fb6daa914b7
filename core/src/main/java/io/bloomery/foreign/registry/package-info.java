/**
 * Which formats of other systems are supported, and which one does a file have? {@link
 * io.bloomery.foreign.registry.ForeignFormats} lists them. The registry has its own package because
 * it depends on every format, and no format depends on it.
 */
@NullMarked
package io.bloomery.foreign.registry;

import org.jspecify.annotations.NullMarked;
