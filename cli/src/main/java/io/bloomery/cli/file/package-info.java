/**
 * How is a filter opened? Files of Bloomery and of other systems, with the secret that they need.
 */
package io.bloomery.cli.file;
