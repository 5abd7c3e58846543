// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import java.util.List;
import java.util.regex.Pattern;

/** What a callee says of retries. */
record Pushback(Kind kind, long waitMs) {
  enum Kind {
    NONE,
    WAIT,
    STOP
  }

  private static final Pushback NONE = new Pushback(Kind.NONE, 0);
  private static final Pushback STOP = new Pushback(Kind.STOP, 0);
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  /** A value that is negative or no number says no; of several the last one counts, as in gRPC. */
  static Pushback read(List<String> values) {
    if (values.isEmpty()) {
      return NONE;
    }
    String value = values.get(values.size() - 1);
    return saysNo(value) ? STOP : new Pushback(Kind.WAIT, Long.parseLong(value));
  }

  static boolean saysNo(String value) {
    return !NUMBER.matcher(value).matches();
  }
}
