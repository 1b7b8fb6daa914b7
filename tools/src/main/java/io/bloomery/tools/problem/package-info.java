/** How is an error told to a user? In one line, with what was probably meant. */
package io.bloomery.tools.problem;
