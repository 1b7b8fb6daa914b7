/** Hash functions used by the formats of other systems, never by our own filters. */
package io.bloomery.foreign.hash;
