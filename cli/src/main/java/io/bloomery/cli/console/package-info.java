/**
 * What do all commands have in common? Global options, the version, and how failures are reported.
 */
package io.bloomery.cli.console;
