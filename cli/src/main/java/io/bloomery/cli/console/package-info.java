/**
 * What does a command read from and write to, and how does it fail? Standard input and output,
 * progress, errors.
 */
package io.bloomery.cli.console;
