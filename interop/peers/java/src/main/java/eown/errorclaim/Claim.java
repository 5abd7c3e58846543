// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import java.util.ArrayList;
import java.util.List;

/** What a callee says of its error; MISSING stands for no claim that can be believed. */
public enum Claim {
  MISSING("missing"),
  CLAIMED("claimed"),
  UNCLAIMED("unclaimed");

  private final String word;

  Claim(String word) {
    this.word = word;
  }

  /** Its value on the wire. */
  public String word() {
    return word;
  }

  /** The claim that the values of the key and of its alias make: one word, or none. */
  static Claim read(List<String> values, List<String> aliasValues) {
    if (values.size() > 1 || aliasValues.size() > 1) {
      return MISSING;
    }
    List<String> all = new ArrayList<>(values);
    all.addAll(aliasValues);
    if (all.isEmpty() || !all.get(0).equals(all.get(all.size() - 1))) {
      return MISSING;
    }
    return switch (all.get(0)) {
      case "claimed" -> CLAIMED;
      case "unclaimed" -> UNCLAIMED;
      default -> MISSING;
    };
  }
}
