/** How often does each key occur? {@code bloom count} and {@code bloom top}. */
package io.bloomery.cli.count;
