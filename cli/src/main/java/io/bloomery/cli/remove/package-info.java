/** How are keys deleted from a saved filter? The command {@code remove}. */
package io.bloomery.cli.remove;
