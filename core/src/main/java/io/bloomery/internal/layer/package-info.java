/** Filters that are lists of plain filters: growing ones, and windows of two or more buffers. */
package io.bloomery.internal.layer;
