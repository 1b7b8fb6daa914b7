/** How often does a filter err in fact? Random keys and intervals of confidence. */
package io.bloomery.cli.measure;
