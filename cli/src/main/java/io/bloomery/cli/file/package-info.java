/** How is a filter opened and saved? Files of Bloomery and of other systems, keys, locks. */
package io.bloomery.cli.file;
