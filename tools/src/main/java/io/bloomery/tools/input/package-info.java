/**
 * Which bytes are a key? Reads files, unpacks them, splits lines, records and columns, on all
 * cores.
 */
package io.bloomery.tools.input;
