/** Filters that are lists of plain filters, such as growing filters and cascades. */
package io.bloomery.internal.layer;
