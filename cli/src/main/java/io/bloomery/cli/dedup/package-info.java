/** Which lines came before? {@code bloom dedup}. */
package io.bloomery.cli.dedup;
