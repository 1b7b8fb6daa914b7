/** Which texts are the same text in another spelling? */
package io.bloomery.tools.text;
