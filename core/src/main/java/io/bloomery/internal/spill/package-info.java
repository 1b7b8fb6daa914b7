/** Temporary files for what does not fit in memory. */
package io.bloomery.internal.spill;
