/** How is an address written? Not exported. */
@NullMarked
package io.bloomery.net.address;

import org.jspecify.annotations.NullMarked;
