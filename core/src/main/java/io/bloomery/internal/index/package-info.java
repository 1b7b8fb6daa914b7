/** Filters stored side by side in a file that is not a frame; for the command line's indexes. */
package io.bloomery.internal.index;
