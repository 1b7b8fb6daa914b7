/** Which bytes does a name or a key of the command line stand for? */
package io.bloomery.tools.name;
