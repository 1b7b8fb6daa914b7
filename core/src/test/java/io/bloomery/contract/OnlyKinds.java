package io.bloomery.contract;

import java.lang.reflect.Method;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Restricts contracts to the kinds named by the property {@code bloomery.kinds}, separated by
 * commas. JUnit finds it only if {@code junit.jupiter.extensions.autodetection.enabled} is set, as
 * the mutants do.
 */
public final class OnlyKinds implements InvocationInterceptor {

  private static final Set<String> KINDS =
      Set.of(System.getProperty("bloomery.kinds", "").split(",", -1));

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> call,
      ExtensionContext context)
      throws Throwable {
    boolean other =
        call.getArguments().stream()
            .anyMatch(argument -> argument instanceof Subject subject && !isChosen(subject));
    if (other) {
      invocation.skip();
    } else {
      invocation.proceed();
    }
  }

  private static boolean isChosen(Subject subject) {
    return subject.kind() != null && KINDS.contains(subject.kind().name());
  }
}
