/** How does a file of keys become a filter? {@code bloom build}. */
package io.bloomery.cli.build;
