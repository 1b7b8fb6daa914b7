/** The list of all kinds, which nothing depends on: {@code Filters} finds it as a service. */
package io.bloomery.internal.registry;
