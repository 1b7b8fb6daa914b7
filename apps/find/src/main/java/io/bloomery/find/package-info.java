/** Which file, block or row holds a key? */
package io.bloomery.find;
