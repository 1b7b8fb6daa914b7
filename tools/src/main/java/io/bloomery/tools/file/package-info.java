/** How is a file opened, locked and saved? As a whole or not at all, by one process at a time. */
package io.bloomery.tools.file;
