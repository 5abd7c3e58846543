// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import io.grpc.Status;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** How a retry loop decides; for as many loops as you like. */
public final class RetryLoopOptions {
  /** What error ownership does in a loop. */
  public enum Mode {
    OFF,
    OBSERVE,
    ENFORCE
  }

  static final int MAX_ATTEMPTS = 100;
  private static final Duration LONGEST = Duration.ofDays(1);

  final int maxAttempts;
  final Set<Status.Code> retryableCodes;
  final Backoff backoff;
  final Duration deadline; // or null
  final Mode mode;
  final RetryBudget budget; // or null
  final boolean chainStop;
  final Consumer<LoopReason> onDecision;

  private RetryLoopOptions(Builder builder) {
    maxAttempts = builder.maxAttempts;
    retryableCodes = EnumSet.copyOf(builder.retryableCodes);
    backoff =
        new Backoff(
            builder.initialBackoff.toNanos() / 1e6,
            builder.maxBackoff.toNanos() / 1e6,
            builder.multiplier);
    deadline = builder.deadline;
    mode = builder.mode;
    budget = builder.budget;
    chainStop = builder.chainStop;
    onDecision = builder.onDecision;
  }

  /** 3 attempts of UNAVAILABLE, a backoff of 100 ms that doubles up to 1 s, enforced. */
  public static Builder newBuilder() {
    return new Builder();
  }

  /** Makes options; each setter refuses a bad value with an IllegalArgumentException. */
  public static final class Builder {
    private int maxAttempts = 3;
    private Set<Status.Code> retryableCodes = EnumSet.of(Status.Code.UNAVAILABLE);
    private Duration initialBackoff = Duration.ofMillis(100);
    private Duration maxBackoff = Duration.ofSeconds(1);
    private double multiplier = 2;
    private Duration deadline;
    private Mode mode = Mode.ENFORCE;
    private RetryBudget budget;
    private boolean chainStop;
    private Consumer<LoopReason> onDecision = reason -> {};

    private Builder() {}

    /** The most calls, and the most attempts that these may take together: 1 to 100. */
    public Builder maxAttempts(int attempts) {
      expect(attempts >= 1 && attempts <= MAX_ATTEMPTS, "maxAttempts", attempts, "1 to 100");
      maxAttempts = attempts;
      return this;
    }

    /** The statuses that are called again; CANCELLED never is. */
    public Builder retryableCodes(Collection<Status.Code> codes) {
      boolean good = !codes.isEmpty() && codes.stream().noneMatch(Status.Code.OK::equals);
      expect(good, "retryableCodes", codes, "one status code or more, OK not among them");
      retryableCodes = EnumSet.copyOf(codes);
      return this;
    }

    public Builder retryableCodes(Status.Code... codes) {
      return retryableCodes(List.of(codes));
    }

    /** The wait before the first retry: 0 to a day. */
    public Builder initialBackoff(Duration wait) {
      initialBackoff = wait("initialBackoff", wait);
      return this;
    }

    /** The longest wait: 0 to a day. */
    public Builder maxBackoff(Duration wait) {
      maxBackoff = wait("maxBackoff", wait);
      return this;
    }

    /** What the wait grows by: 1 to 1000. */
    public Builder backoffMultiplier(double factor) {
      expect(factor >= 1 && factor <= 1000, "backoffMultiplier", factor, "1 to 1000");
      multiplier = factor;
      return this;
    }

    /** For all calls of a loop together: more than 0, to a day. That of the inbound holds too. */
    public Builder deadline(Duration time) {
      expect(!time.isZero(), "deadline", time, "more than 0, and a day at most");
      deadline = wait("deadline", time);
      return this;
    }

    /** Where the interceptor of the channel observes, ENFORCE does as well. */
    public Builder mode(Mode loopMode) {
      mode = loopMode;
      return this;
    }

    /** A budget for retries; null: none. */
    public Builder budget(RetryBudget retryBudget) {
      budget = retryBudget;
      return this;
    }

    /** No retry where the inbound call is itself one. */
    public Builder chainStop(boolean stops) {
      chainStop = stops;
      return this;
    }

    /**
     * Told the reason of each decision, RETRY among them. One that observes is told ownership's
     * reason and goes on; it is told as well for what other reason the loop then ends.
     */
    public Builder onDecision(Consumer<LoopReason> listener) {
      onDecision = listener;
      return this;
    }

    public RetryLoopOptions build() {
      return new RetryLoopOptions(this);
    }

    private static Duration wait(String option, Duration wait) {
      boolean good = !wait.isNegative() && wait.compareTo(LONGEST) <= 0;
      expect(good, option, wait, "0 to a day");
      return wait;
    }

    private static void expect(boolean good, String option, Object value, String expected) {
      if (!good) {
        throw new IllegalArgumentException(option + ": got " + value + ", expected " + expected);
      }
    }
  }
}
