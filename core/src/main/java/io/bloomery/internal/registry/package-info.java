/** The list of all kinds. Nothing depends on it: {@code Filters} finds it as a service. */
package io.bloomery.internal.registry;
