/**
 * How is a file replaced atomically, and which file has a name? For this library and for modules
 * that write files of their own.
 */
@NullMarked
package io.bloomery.file;

import org.jspecify.annotations.NullMarked;
