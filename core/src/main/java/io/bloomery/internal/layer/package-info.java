/** Filters that are lists of plain filters, as growing filters and cascades are. */
package io.bloomery.internal.layer;
