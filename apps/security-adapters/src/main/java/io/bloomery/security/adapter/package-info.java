/**
 * How do Spring Security, Nimbus OAuth and the JDK use these filters? One class per system; users
 * bring the system itself.
 */
@NullMarked
package io.bloomery.security.adapter;

import org.jspecify.annotations.NullMarked;
