// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import eown.v1.ErrorClaimOuterClass.ErrorClaim;
import eown.v1.ErrorClaimOuterClass.ErrorClaim.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The conformance vectors of the protocol. */
class RulesTest {
  // As the vectors have them; gson fills them in.
  static class Vectors {
    List<Retry> retry;
    List<Criteria> criteria;
    List<Claims> claims;
    List<Details> details;
    List<Values> values;
    List<PassedOn> passed_on;
    List<Loop> loop;
    List<BackoffRow> backoff;
    List<Mark> marks;
  }

  static class Retry {
    boolean error;
    String claim;
    boolean budget_empty;
    boolean chained;
    String expect;
  }

  static class Criteria {
    String claim;
    boolean retried;
    String policy;
    boolean application;
    boolean expect;
  }

  static class Claims {
    List<OneOutbound> outbounds;
    Word expect;
  }

  static class OneOutbound {
    String callee;
    String edge;
    boolean criteria;
  }

  static class Word {
    String claim;
    String reason;
  }

  static class Fields {
    String owner_service;
    String owner_method;
    long hops;
    int attempts;
    String reason;
  }

  static class Details {
    String name;
    String bytes;
    Fields expect;
  }

  static class Values {
    String name;
    List<String> values;
    List<String> alias_values;
    String expect;
  }

  static class PassedOn {
    String name;
    Fields received;
    String path;
    int attempts;
    Fields expect;
  }

  static class Loop {
    String status;
    String claim;
    boolean committed;
    boolean calls_left;
    boolean time_left;
    boolean budget_empty;
    boolean chained;
    boolean attempts_left;
    String pushback;
    String expect;
  }

  static class BackoffRow {
    double initial_ms;
    double max_ms;
    double multiplier;
    int retry;
    double random;
    double expect_ms;
  }

  static class Mark {
    List<String> values;
    boolean expect;
  }

  private static final Gson GSON = new Gson();
  private static Vectors vectors;

  @BeforeAll
  static void read() throws IOException {
    Path file = Path.of(System.getProperty("vectors"));
    vectors = GSON.fromJson(Files.readString(file), Vectors.class);
  }

  /** Checks each row; a failure shows the row. */
  private static <T> void each(List<T> rows, Consumer<T> check) {
    assertTrue(rows.size() > 1);
    for (T row : rows) {
      try {
        check.accept(row);
      } catch (AssertionError e) {
        throw new AssertionError(GSON.toJson(row), e);
      }
    }
  }

  private static Claim claim(String word) {
    return Claim.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static Reason reason(String word) {
    return Reason.valueOf(word.toUpperCase(Locale.ROOT));
  }

  @Test
  void retry() {
    each(
        vectors.retry,
        row -> {
          Rules.Retry verdict =
              Rules.retry(row.error, claim(row.claim), row.budget_empty, row.chained);
          assertEquals(row.expect, verdict.name().toLowerCase(Locale.ROOT));
        });
  }

  @Test
  void criteria() {
    each(
        vectors.criteria,
        row -> {
          boolean covered = row.policy.equals("covers");
          assertEquals(
              row.expect,
              Rules.satisfied(claim(row.claim), row.retried, covered, row.application));
        });
  }

  @Test
  void claims() {
    each(
        vectors.claims,
        row -> {
          Reason highest = Reason.OWN;
          for (OneOutbound one : row.outbounds) {
            Reason reason =
                Rules.reason(
                    !one.callee.equals("ok"), one.edge.equals("fail_open"), one.criteria);
            highest = reason.compareTo(highest) > 0 ? reason : highest;
          }
          assertEquals(reason(row.expect.reason), highest);
          assertEquals(claim(row.expect.claim), Rules.claimOf(highest));
        });
  }

  private static ErrorClaim detail(Fields fields) {
    return fields == null
        ? null
        : ErrorClaim.newBuilder()
            .setOwnerService(fields.owner_service)
            .setOwnerMethod(fields.owner_method)
            .setHops((int) fields.hops)
            .setAttempts(fields.attempts)
            .setReason(reason(fields.reason))
            .build();
  }

  /** The message without fields that this version does not know. */
  private static ErrorClaim known(ErrorClaim detail) {
    return detail == null
        ? null
        : ErrorClaim.newBuilder()
            .setOwnerService(detail.getOwnerService())
            .setOwnerMethod(detail.getOwnerMethod())
            .setHops(detail.getHops())
            .setAttempts(detail.getAttempts())
            .setReason(detail.getReason())
            .build();
  }

  @Test
  void details() {
    each(
        vectors.details,
        row ->
            assertEquals(
                detail(row.expect), known(Detail.read(Base64.getDecoder().decode(row.bytes)))));
  }

  @Test
  void values() {
    each(
        vectors.values,
        row -> assertEquals(claim(row.expect), Claim.read(row.values, row.alias_values)));
  }

  @Test
  void passedOn() {
    each(
        vectors.passed_on,
        row ->
            assertEquals(
                detail(row.expect),
                Detail.passedOn(detail(row.received), row.path).toBuilder()
                    .setAttempts(row.attempts)
                    .setReason(Reason.PROPAGATED)
                    .build()));
  }

  @Test
  void loop() {
    each(
        vectors.loop,
        row -> {
          LoopRule rule =
              new LoopRule(
                  row.status.equals("ok"),
                  row.status.equals("cancelled"),
                  row.status.equals("listed"),
                  row.committed,
                  row.calls_left,
                  row.time_left,
                  claim(row.claim),
                  row.budget_empty,
                  row.chained,
                  row.attempts_left,
                  row.pushback.equals("stop"));
          assertEquals(row.expect, rule.reason(true).word());
          assertTrue(!rule.reason(false).isOwnership());
        });
  }

  @Test
  void backoff() {
    each(
        vectors.backoff,
        row -> {
          Backoff backoff = new Backoff(row.initial_ms, row.max_ms, row.multiplier);
          assertEquals(row.expect_ms, backoff.waitMs(row.retry, row.random), 1e-6);
        });
  }

  @Test
  void marks() {
    each(vectors.marks, row -> assertEquals(row.expect, Rules.isMark(row.values)));
  }

  @Test
  void pushback() {
    assertEquals(Pushback.Kind.NONE, Pushback.read(List.of()).kind());
    assertEquals(new Pushback(Pushback.Kind.WAIT, 0), Pushback.read(List.of("0")));
    assertEquals(new Pushback(Pushback.Kind.WAIT, 250), Pushback.read(List.of("-1", "250")));
    for (String no : List.of("-1", "", "soon", "1.5", " 1", "99999999999999999999")) {
      assertEquals(Pushback.Kind.STOP, Pushback.read(List.of(no)).kind(), no);
    }
  }

  @Test
  void longNamesAreCut() {
    String name = "é" + "n".repeat(300);
    ErrorClaim detail =
        Detail.own(name + "/" + name, "").toBuilder()
            .setHops(-1)
            .setAttempts(-1)
            .setReason(Reason.PROPAGATED)
            .build();
    assertTrue(detail.getOwnerService().startsWith("?n"));
    assertTrue(detail.toByteArray().length <= 256);
    ErrorClaim most = ErrorClaim.newBuilder().setOwnerService("a").setHops(-1).build();
    assertEquals(-1, Detail.passedOn(most, "/S/M").getHops()); // it stays the largest
  }
}
