/**
 * What does a program read from and write to besides files? Standard input and output, messages,
 * progress.
 */
package io.bloomery.tools.console;
