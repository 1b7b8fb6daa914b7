/** What do two files have in common? {@code bloom join} and {@code bloom diff}. */
package io.bloomery.cli.join;
