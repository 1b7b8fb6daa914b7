/** How fast are filters on this machine? {@code bloom bench}. */
package io.bloomery.cli.bench;
