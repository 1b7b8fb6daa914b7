/** What do messages of HTTP and DNS name? Not exported. */
@NullMarked
package io.bloomery.net.message;

import org.jspecify.annotations.NullMarked;
