/**
 * How often was x seen? Spectral filters, count-min with conservative update, space-code, adaptive
 * and layered Bloom filters, counter braids.
 */
@NullMarked
package io.bloomery.frequency;

import org.jspecify.annotations.NullMarked;
