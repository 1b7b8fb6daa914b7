/** Which lines are around the matches, each of them once? */
package io.bloomery.find.context;
