/**
 * Where does a command line begin? The program, its subcommands and those of them that are one or
 * two classes.
 */
package io.bloomery.cli;
