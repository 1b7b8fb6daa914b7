/** Which of several filters contain a key? */
package io.bloomery.cli.which;
