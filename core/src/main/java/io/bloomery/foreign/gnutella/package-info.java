/** How does Gnutella send its query routing tables? */
package io.bloomery.foreign.gnutella;
