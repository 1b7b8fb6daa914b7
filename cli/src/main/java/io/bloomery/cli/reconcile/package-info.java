/**
 * Which lines does each of two files lack, and how few bytes find them? {@code bloom reconcile}.
 */
package io.bloomery.cli.reconcile;
