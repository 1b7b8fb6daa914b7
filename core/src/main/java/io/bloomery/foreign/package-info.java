/**
 * How do other systems store their filters? This package holds the code that all formats share and
 * the formats of a single class; formats of several classes have their own packages. {@code
 * registry.ForeignFormats} lists them all, docs/formats.md describes each.
 */
@NullMarked
package io.bloomery.foreign;

import org.jspecify.annotations.NullMarked;
