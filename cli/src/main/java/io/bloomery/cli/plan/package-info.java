/** Which filter, how large, and why? {@code bloom plan}. */
package io.bloomery.cli.plan;
