/**
 * What every filter of a capability must do, whatever its kind. One test class per capability runs
 * over all {@link io.bloomery.contract.Subjects}.
 */
package io.bloomery.contract;
