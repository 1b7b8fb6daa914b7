/** Which tokens does a text have, and where is a sequence of bytes in it? */
package io.bloomery.find.text;
