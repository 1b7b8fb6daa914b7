/** Which flow is a packet of, and which of its bytes do routers leave alone? Not exported. */
@NullMarked
package io.bloomery.net.packet;

import org.jspecify.annotations.NullMarked;
