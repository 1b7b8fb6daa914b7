/** Filters that lie side by side in a file that is no frame; for the command line's indexes. */
package io.bloomery.internal.index;
