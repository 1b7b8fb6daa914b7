/** How does Gnutella send its query routing tables? */
@NullMarked
package io.bloomery.foreign.gnutella;

import org.jspecify.annotations.NullMarked;
