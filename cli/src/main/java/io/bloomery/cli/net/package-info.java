/** What is in this traffic? */
package io.bloomery.cli.net;
