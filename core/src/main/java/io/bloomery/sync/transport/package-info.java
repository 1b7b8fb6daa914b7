/**
 * How do processes reach each other? A {@link io.bloomery.sync.transport.Transport} exchanges
 * messages between a fixed number of processes. Threads have one here; for TCP, take the module
 * {@code io.bloomery.transfer}, or implement it over what connects your processes already.
 */
@NullMarked
package io.bloomery.sync.transport;

import org.jspecify.annotations.NullMarked;
