/** What has every command in common? Its options, its version, and how it fails. */
package io.bloomery.cli.console;
