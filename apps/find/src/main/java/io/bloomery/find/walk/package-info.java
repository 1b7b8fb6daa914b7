/** Which files are there, in what state, and which of them may an index lead to? */
package io.bloomery.find.walk;
