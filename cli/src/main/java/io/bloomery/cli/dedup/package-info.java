/** Which lines are repeated? {@code bloom dedup}. */
package io.bloomery.cli.dedup;
