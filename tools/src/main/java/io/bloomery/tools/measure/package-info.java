/** What is a filter's actual false-positive rate? Random keys and confidence intervals. */
package io.bloomery.tools.measure;
