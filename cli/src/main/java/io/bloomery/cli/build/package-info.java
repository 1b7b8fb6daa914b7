/** How is a filter built from a file of keys? {@code bloom build}. */
package io.bloomery.cli.build;
