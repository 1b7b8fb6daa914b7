/**
 * Where does a command line start? The program, the table of its commands, and the commands that
 * take only one or two classes.
 */
package io.bloomery.cli;
