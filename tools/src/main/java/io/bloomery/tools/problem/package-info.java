/** How is an error reported to a user? In one line, with a suggestion. */
package io.bloomery.tools.problem;
