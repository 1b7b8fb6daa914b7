/**
 * What do options mean that several commands have? Sizes, rates, needs, kinds, formats of input.
 */
package io.bloomery.cli.option;
