// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The conformance vectors, all sections.

use std::collections::HashMap;

use error_claim::detail::read_detail;
use error_claim::ledger::{Ledger, Outbound};
use error_claim::loop_rule::{Backoff, LoopStatus, LoopView, Pushback, loop_reason};
use error_claim::rules::{
    Claim, claim_of, criteria_satisfied, is_marked, read_claim, reason_of, retry_verdict,
};
use error_claim::{ErrorClaim, Reason};
use tinyjson::JsonValue;
use tonic::metadata::BinaryMetadataValue;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../protos/vectors.json");

fn vectors() -> HashMap<String, JsonValue> {
    let text = std::fs::read_to_string(FILE).unwrap();
    let json: JsonValue = text.parse().unwrap();
    json.try_into().unwrap()
}

/// One row of a section.
struct Row(JsonValue);

impl Row {
    fn at(&self, key: &str) -> Row {
        Row(self.0[key].clone())
    }

    fn text(&self, key: &str) -> String {
        self.0[key].get::<String>().unwrap().clone()
    }

    fn flag(&self, key: &str) -> bool {
        *self.0[key].get::<bool>().unwrap()
    }

    fn number(&self, key: &str) -> f64 {
        *self.0[key].get::<f64>().unwrap()
    }

    fn rows(&self, key: &str) -> Vec<Row> {
        let rows: Vec<JsonValue> = self.0[key].clone().try_into().unwrap();
        rows.into_iter().map(Row).collect()
    }

    fn texts(&self, key: &str) -> Vec<String> {
        let texts = self.rows(key).into_iter();
        texts.map(|row| row.0.try_into().unwrap()).collect()
    }

    fn claim(&self, key: &str) -> Claim {
        let word = self.text(key);
        let claims = [Claim::Missing, Claim::Claimed, Claim::Unclaimed];
        let found = claims.into_iter().find(|claim| claim.word() == word);
        found.unwrap_or_else(|| panic!("no claim {word}"))
    }

    fn detail(&self, key: &str) -> Option<ErrorClaim> {
        if self.0[key].is_null() {
            return None;
        }
        let row = self.at(key);
        let name = row.text("reason").to_uppercase();
        let reason = Reason::ALL.into_iter().find(|reason| reason.name() == name);
        Some(ErrorClaim {
            owner_service: row.text("owner_service"),
            owner_method: row.text("owner_method"),
            hops: row.number("hops") as u32,
            attempts: row.number("attempts") as u32,
            reason: reason.unwrap() as i32,
        })
    }
}

/// Runs `check` for each row of a section; there must be some.
fn each(section: &str, check: impl Fn(&Row)) {
    let rows: Vec<JsonValue> = vectors().remove(section).unwrap().try_into().unwrap();
    assert!(!rows.is_empty(), "no rows in {section}");
    for row in rows {
        check(&Row(row));
    }
}

fn same<T: PartialEq + std::fmt::Debug>(row: &Row, got: T, expected: T) {
    let text = row.0.stringify().unwrap();
    assert_eq!(got, expected, "{text}");
}

#[test]
fn all_sections_are_run() {
    let mut names: Vec<String> = vectors().into_keys().collect();
    names.sort();
    let run = [
        "backoff",
        "claims",
        "criteria",
        "details",
        "loop",
        "marks",
        "passed_on",
        "retry",
        "values",
        "version",
    ];
    assert_eq!(names, run);
}

#[test]
fn retry() {
    each("retry", |row| {
        let (error, claim) = (row.flag("error"), row.claim("claim"));
        let verdict = retry_verdict(error, claim, row.flag("budget_empty"), row.flag("chained"));
        same(row, verdict, &row.text("expect"));
    });
}

#[test]
fn criteria() {
    each("criteria", |row| {
        let covered = row.text("policy") == "covers";
        let (retried, application) = (row.flag("retried"), row.flag("application"));
        let got = criteria_satisfied(row.claim("claim"), retried, covered, application);
        same(row, got, row.flag("expect"));
    });
}

#[test]
fn claims() {
    each("claims", |row| {
        let reasons = row.rows("outbounds").into_iter().map(|one| {
            let failed = one.text("callee") != "ok";
            let fail_open = one.text("edge") == "fail_open";
            reason_of(failed, fail_open, one.flag("criteria"))
        });
        let reason = reasons.max().unwrap_or(Reason::Own);
        let expected = row.at("expect");
        let name = reason.name().to_lowercase();
        same(row, name, expected.text("reason"));
        same(row, claim_of(reason), expected.claim("claim"));
    });
}

#[test]
fn values() {
    each("values", |row| {
        let (values, alias_values) = (row.texts("values"), row.texts("alias_values"));
        let values: Vec<&[u8]> = values.iter().map(String::as_bytes).collect();
        let alias_values: Vec<&[u8]> = alias_values.iter().map(String::as_bytes).collect();
        same(row, read_claim(&values, &alias_values), row.claim("expect"));
    });
}

#[test]
fn details() {
    each("details", |row| {
        let encoded = row.text("bytes");
        let mut one = http::HeaderMap::new();
        one.insert("a-bin", encoded.parse().unwrap());
        let one = tonic::metadata::MetadataMap::from_headers(one);
        let value: &BinaryMetadataValue = one.get_bin("a-bin").unwrap();
        same(
            row,
            read_detail(&value.to_bytes().unwrap()),
            row.detail("expect"),
        );
    });
}

#[test]
fn passed_on() {
    each("passed_on", |row| {
        let mut ledger = Ledger::default();
        ledger.record(Outbound {
            path: row.text("path"),
            code: 14,
            claim: Claim::Unclaimed,
            detail: row.detail("received"),
            attempts: row.number("attempts") as u32,
            ..Outbound::default()
        });
        let (_, detail) = ledger.decide("/a/b", 14, None);
        same(row, Some(detail), row.detail("expect"));
    });
}

fn view_of(row: &Row) -> LoopView {
    LoopView {
        status: match row.text("status").as_str() {
            "ok" => LoopStatus::Ok,
            "cancelled" => LoopStatus::Cancelled,
            "listed" => LoopStatus::Listed,
            "other" => LoopStatus::Other,
            word => panic!("no status {word}"),
        },
        claim: row.claim("claim"),
        committed: row.flag("committed"),
        calls_left: row.flag("calls_left"),
        time_left: row.flag("time_left"),
        budget_empty: row.flag("budget_empty"),
        chained: row.flag("chained"),
        attempts_left: row.flag("attempts_left"),
        pushback: match row.text("pushback").as_str() {
            "none" => Pushback::None,
            "wait" => Pushback::Wait(5),
            "stop" => Pushback::Stop,
            word => panic!("no pushback {word}"),
        },
    }
}

#[test]
fn loops() {
    each("loop", |row| {
        let reason = loop_reason(&view_of(row), true);
        same(row, reason.word(), &row.text("expect"));
    });
}

/// Without ownership its rows are left out.
#[test]
fn loops_without_ownership() {
    each("loop", |row| {
        let expected = match row.text("expect").as_str() {
            "unclaimed" | "budget" | "chain" | "multiplied" => {
                match row.text("pushback").as_str() {
                    "stop" => "pushback".to_owned(),
                    _ => "retry".to_owned(),
                }
            }
            word => word.to_owned(),
        };
        let reason = loop_reason(&view_of(row), false);
        same(row, reason.word(), &expected);
    });
}

#[test]
fn backoff() {
    each("backoff", |row| {
        let backoff = Backoff {
            initial_ms: row.number("initial_ms"),
            max_ms: row.number("max_ms"),
            multiplier: row.number("multiplier"),
        };
        let wait = backoff.wait_ms(row.number("retry") as u32, row.number("random"));
        let expected = row.number("expect_ms");
        let text = row.0.stringify().unwrap();
        assert!((wait - expected).abs() < 1e-6, "{text}: got {wait}");
    });
}

#[test]
fn marks() {
    each("marks", |row| {
        let values = row.texts("values");
        let values = values.iter().map(String::as_bytes);
        same(row, is_marked(values), row.flag("expect"));
    });
}
