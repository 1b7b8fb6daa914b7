/** How do I use a filter from the shell? The {@code bloom} command and its subcommands. */
package io.bloomery.cli;
