/** Which rows belong together? Parts and samples by the hash of the key. */
package io.bloomery.cli.partition;
