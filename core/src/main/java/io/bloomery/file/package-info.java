/**
 * How does a file change as a whole, and which file is it? For this library and for modules that
 * write files beside it.
 */
@NullMarked
package io.bloomery.file;

import org.jspecify.annotations.NullMarked;
