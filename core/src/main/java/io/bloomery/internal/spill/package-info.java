/** Temporary files for what does not fit in memory; also for the command line. */
package io.bloomery.internal.spill;
