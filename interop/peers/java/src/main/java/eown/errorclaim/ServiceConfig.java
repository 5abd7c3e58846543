// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import io.grpc.Status;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The retry policies of a service config, in the form that grpc-java takes it. */
final class ServiceConfig {
  /** A retry policy. */
  record Policy(int maxAttempts, Set<Status.Code> codes) {
    boolean covers(Status.Code code) {
      return codes.contains(code);
    }
  }

  private final Map<String, ?> config;

  ServiceConfig(Map<String, ?> config) {
    this.config = config;
    try {
      maxAttempts(); // reads all of it
    } catch (ClassCastException | NullPointerException | IllegalArgumentException e) {
      throw new IllegalArgumentException("service config " + config + ": " + e.getMessage(), e);
    }
  }

  /** The most attempts that any policy makes. */
  int maxAttempts() {
    int most = 0;
    for (Object method : list(config, "methodConfig")) {
      Policy policy = policy((Map<?, ?>) method);
      most = Math.max(most, policy == null ? 0 : policy.maxAttempts);
    }
    return most;
  }

  /**
   * The policy for a method, or null. Of several entries that fit, the one with the longest name
   * counts.
   */
  Policy policyFor(String path) {
    String[] names = Detail.names(path);
    Map<?, ?> best = null;
    int bestRank = -1;
    for (Object method : list(config, "methodConfig")) {
      for (Object name : list((Map<?, ?>) method, "name")) {
        int rank = rank((Map<?, ?>) name, names[0], names[1]);
        if (rank > bestRank) {
          best = (Map<?, ?>) method;
          bestRank = rank;
        }
      }
    }
    return best == null ? null : policy(best);
  }

  /** How many parts of the name it gives; -1 where they do not fit. */
  private static int rank(Map<?, ?> name, String service, String method) {
    int rank = 0;
    for (Map.Entry<String, String> part :
        Map.of("service", service, "method", method).entrySet()) {
      Object wanted = name.get(part.getKey());
      if (wanted != null && !wanted.equals("")) {
        if (!wanted.equals(part.getValue())) {
          return -1;
        }
        rank++;
      }
    }
    return rank;
  }

  private static Policy policy(Map<?, ?> method) {
    Map<?, ?> policy = (Map<?, ?>) method.get("retryPolicy");
    if (policy == null) {
      return null;
    }
    Set<Status.Code> codes = EnumSet.noneOf(Status.Code.class);
    for (Object code : list(policy, "retryableStatusCodes")) {
      codes.add(
          code instanceof Number number
              ? Status.fromCodeValue(number.intValue()).getCode()
              : Status.Code.valueOf(((String) code).toUpperCase(Locale.ROOT)));
    }
    return new Policy(((Number) policy.get("maxAttempts")).intValue(), codes);
  }

  private static List<?> list(Map<?, ?> map, String key) {
    Object list = map.get(key);
    return list == null ? List.of() : (List<?>) list;
  }
}
