/**
 * What do the options shared by several commands mean? Sizes, rates, needs, kinds, input formats.
 */
package io.bloomery.cli.option;
