/** On the list, or seen before? The commands of the applications for security. */
package io.bloomery.cli.security;
