/** Which lines does each of two files lack, and how few bytes tell? The command reconcile. */
package io.bloomery.cli.reconcile;
