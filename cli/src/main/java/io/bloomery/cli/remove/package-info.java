/** How are keys deleted from a saved filter? {@code bloom remove}. */
package io.bloomery.cli.remove;
