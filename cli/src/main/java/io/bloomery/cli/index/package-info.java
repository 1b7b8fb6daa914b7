/** Which files contain a key? An index with a filter per block of each file, and searches in it. */
package io.bloomery.cli.index;
