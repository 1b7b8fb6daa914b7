/** Temporary files for data that does not fit in memory. */
package io.bloomery.internal.spill;
