/** Where are keys kept until they are needed again? Tables in memory and temporary files. */
package io.bloomery.tools.spill;
