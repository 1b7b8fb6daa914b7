package io.bloomery.cli.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.chart.Axis;
import io.bloomery.chart.Chart;
import io.bloomery.net.flows.FlowOptions;
import io.bloomery.net.flows.HeavyFlows.Interval;
import io.bloomery.tools.problem.Problem;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class FlowsPictureTest {

  private static final long SECOND = 1_000_000_000;
  private static final long DAY = 86_400 * SECOND;

  private static Chart chart(long... starts) {
    List<Interval> intervals =
        LongStream.of(starts)
            .mapToObj(start -> new Interval(start, 5, 500, List.of(), 1, List.of(), 1))
            .toList();
    return FlowsPicture.chart(
        intervals, FlowOptions.of(FlowOptions.By.SRC, false, 5).withEvery(Duration.ofSeconds(1)));
  }

  private static Axis time(Chart chart) {
    return chart.panels().get(0).x();
  }

  @Test
  void theTimeIsThatOfTheFirstPackets() {
    Chart chart = chart(DAY, DAY + SECOND, DAY + 9 * SECOND);
    assertThat(time(chart).label()).isEqualTo("seconds since 1970-01-02T00:00:00Z");
    assertThat(time(chart).max()).isEqualTo(9);
    assertThat(chart.note()).doesNotContain("without");
  }

  /** Captures of three days, joined: the one with most packets is drawn. */
  @Test
  void whatLongPausesSeparateIsLeftOut() {
    Chart chart = chart(0, SECOND, 40 * DAY, 40 * DAY + SECOND, 40 * DAY + 2 * SECOND, 42 * DAY);
    assertThat(time(chart).label()).isEqualTo("seconds since 1970-02-10T00:00:00Z");
    assertThat(time(chart).max()).isEqualTo(2);
    assertThat(chart.note()).endsWith("; without 15 packets beyond a long pause");
  }

  @Test
  void nothingIsLeftOutOfTwoIntervals() {
    assertThat(time(chart(0, DAY)).max()).isEqualTo(86_400);
    assertThat(time(chart(0, DAY, 40 * DAY)).max()).isEqualTo(86_400);
    assertThatThrownBy(() -> chart(0)).isInstanceOf(Problem.class);
  }
}
