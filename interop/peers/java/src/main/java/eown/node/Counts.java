// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.node;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import eown.errorclaim.Claim;
import eown.errorclaim.LoopReason;
import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The counts of one node. */
final class Counts {
  /** They, in the shape in which the node prints them. */
  static final class Figures {
    String event;
    String name;
    long served;
    long errors;
    long ownFailures;
    long made;
    Stopped retriesStopped = new Stopped();
    Sent claimsSent = new Sent();
    List<OfCallee> callees = new ArrayList<>();
  }

  static final class Stopped {
    long unclaimed;
    long budget;
    long chain;
    long multiplied;
  }

  static final class Sent {
    long claimed;
    long unclaimed;
  }

  static final class OfCallee {
    String name;
    long calls;
    long errors;
    long claimed;
    long unclaimed;
    long missing;
    long other;
  }

  private static final Metadata.Key<String> CLAIM =
      Metadata.Key.of("error-claim", Metadata.ASCII_STRING_MARSHALLER);

  private final String name;
  private final List<Options.Callee> callees;
  private Figures figures;

  Counts(Options options) {
    name = options.name;
    callees = options.callees;
    figures = empty();
  }

  private Figures empty() {
    Figures zero = new Figures();
    zero.name = name;
    for (Options.Callee callee : callees) {
      OfCallee of = new OfCallee();
      of.name = callee.name();
      zero.callees.add(of);
    }
    return zero;
  }

  synchronized void count(Consumer<Figures> increment) {
    increment.accept(figures);
  }

  void sent(Claim claim) {
    count(
        all -> {
          if (claim == Claim.UNCLAIMED) {
            all.claimsSent.unclaimed++;
          } else {
            all.claimsSent.claimed++;
          }
        });
  }

  void stopped() {
    count(all -> all.retriesStopped.unclaimed++);
  }

  void decided(LoopReason reason) {
    switch (reason) {
      case UNCLAIMED -> stopped();
      case BUDGET -> count(all -> all.retriesStopped.budget++);
      case CHAIN -> count(all -> all.retriesStopped.chain++);
      case MULTIPLIED -> count(all -> all.retriesStopped.multiplied++);
      default -> {}
    }
  }

  void called(int callee) {
    count(
        all -> {
          all.made++;
          all.callees.get(callee).calls++;
        });
  }

  /** What the application sees of the claim in the trailing metadata; null: there was none. */
  void failed(int callee, Metadata trailers) {
    List<String> claims = new ArrayList<>();
    Iterable<String> values = trailers == null ? null : trailers.getAll(CLAIM);
    if (values != null) {
      values.forEach(claims::add);
    }
    count(all -> addClaim(all.callees.get(callee), String.join(",", claims), claims.isEmpty()));
  }

  private static void addClaim(OfCallee callee, String claim, boolean missing) {
    callee.errors++;
    if (missing) {
      callee.missing++;
    } else if (claim.equals("claimed")) {
      callee.claimed++;
    } else if (claim.equals("unclaimed")) {
      callee.unclaimed++;
    } else {
      callee.other++;
    }
  }

  synchronized String json(String event, boolean reset) {
    Gson gson =
        new GsonBuilder()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
            .create();
    figures.event = event;
    String text = gson.toJson(figures);
    if (reset) {
      figures = empty();
    }
    return text;
  }
}
