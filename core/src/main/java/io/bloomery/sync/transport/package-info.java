/**
 * How do processes reach each other? A {@link io.bloomery.sync.transport.Transport} exchanges
 * messages between a fixed number of processes. There is one for threads; for TCP, use the module
 * {@code io.bloomery.transfer}, or implement it on top of your existing connections.
 */
@NullMarked
package io.bloomery.sync.transport;

import org.jspecify.annotations.NullMarked;
