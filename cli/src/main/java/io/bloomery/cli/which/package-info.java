/** Which of several filters contain a key? {@code bloom which}. */
package io.bloomery.cli.which;
