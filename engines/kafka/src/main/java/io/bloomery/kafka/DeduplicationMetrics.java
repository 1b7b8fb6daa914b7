package io.bloomery.kafka;

import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MeasurableStat;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/** The metrics of one task: rates and totals, and the filter's current false-positive rate. */
final class DeduplicationMetrics {

  private static final String SCOPE = "deduplication";

  private final StreamsMetrics metrics;
  private final Sensor duplicateDropped;
  private final Sensor lateDropped;
  private final Sensor withoutId;
  private final Sensor forwardedAgain;
  private final Sensor aheadForwarded;
  private final Sensor aheadDropped;
  private final Sensor forgottenEarly;
  private final Sensor overloadForwarded;
  private final Sensor falsePositives;

  DeduplicationMetrics(ProcessingContext context, String store, DoubleSupplier falsePositiveRate) {
    this.metrics = context.metrics();
    String task = context.taskId().toString();
    String entity = store + "-" + task; // sensors are shared by all tasks of a thread
    this.duplicateDropped = counter(entity, "duplicate-dropped", task);
    this.lateDropped = counter(entity, "late-dropped", task);
    this.withoutId = counter(entity, "without-id", task);
    this.forwardedAgain = counter(entity, "forwarded-again", task);
    this.aheadForwarded = counter(entity, "ahead-forwarded", task);
    this.aheadDropped = counter(entity, "ahead-dropped", task);
    this.forgottenEarly = counter(entity, "forgotten-early", task);
    this.overloadForwarded = counter(entity, "overload-forwarded", task);
    this.falsePositives =
        metrics.addSensor(
            SCOPE + "-" + entity + "-false-positive-rate", Sensor.RecordingLevel.INFO);
    falsePositives.add(
        new MetricName(
            "false-positive-rate",
            "stream-" + SCOPE + "-metrics",
            "The current probability that a new id is mistaken for a duplicate",
            Map.of(SCOPE + "-id", entity, "task-id", task)),
        new Gauge(falsePositiveRate));
  }

  private Sensor counter(String entity, String operation, String task) {
    return metrics.addRateTotalSensor(
        SCOPE, entity, operation, Sensor.RecordingLevel.INFO, "task-id", task);
  }

  void duplicateDropped() {
    duplicateDropped.record();
  }

  void lateDropped() {
    lateDropped.record();
  }

  void withoutId() {
    withoutId.record();
  }

  void forwardedAgain() {
    forwardedAgain.record();
  }

  void aheadForwarded() {
    aheadForwarded.record();
  }

  void aheadDropped() {
    aheadDropped.record();
  }

  /** A layer of ids was forgotten before its time. */
  void forgottenEarly() {
    forgottenEarly.record();
  }

  void overloadForwarded() {
    overloadForwarded.record();
  }

  void close() {
    for (Sensor sensor :
        List.of(
            duplicateDropped,
            lateDropped,
            withoutId,
            forwardedAgain,
            aheadForwarded,
            aheadDropped,
            forgottenEarly,
            overloadForwarded,
            falsePositives)) {
      metrics.removeSensor(sensor);
    }
  }

  /** A value that is computed when it is read. */
  private record Gauge(DoubleSupplier value) implements MeasurableStat {

    @Override
    public void record(MetricConfig config, double recorded, long time) {}

    @Override
    public double measure(MetricConfig config, long now) {
      return value.getAsDouble();
    }
  }
}
