// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The ledger of an inbound, pushbacks and details, without gRPC.

use error_claim::detail::{DETAIL_MAX, passed_on, read_detail};
use error_claim::ledger::{Ledger, Outbound};
use error_claim::loop_rule::{Pushback, read_pushback};
use error_claim::{Claim, ErrorClaim, Reason};
use prost::Message;

const OK: i32 = 0;
const NOT_FOUND: i32 = 5;
const BAD: i32 = 14;

fn record(ledger: &mut Ledger, (path, started, code): (&str, u64, i32)) {
    ledger.record(Outbound {
        path: path.to_owned(),
        started,
        code,
        attempts: 1,
        ..Outbound::default()
    });
}

/// What is said of an error with this code after these calls.
fn reason_after(code: i32, calls: &[(&str, u64, i32)]) -> Reason {
    let mut ledger = Ledger::default();
    for call in calls {
        record(&mut ledger, *call);
    }
    ledger.decide("/a.S/M", code, None).1.reason()
}

#[test]
fn correlation() {
    let (lone, own, retried) = (Reason::AtLeastOnce, Reason::Own, Reason::Propagated);
    let rows: [(&str, Reason, i32, &[(&str, u64, i32)]); 10] = [
        ("nothing", own, BAD, &[]),
        ("failed", lone, BAD, &[("/b/M", 0, BAD)]),
        (
            "settled later",
            own,
            BAD,
            &[("/b/M", 0, BAD), ("/b/M", 1, OK)],
        ),
        (
            "not by one beside it",
            lone,
            BAD,
            &[("/b/M", 0, BAD), ("/b/M", 0, OK)],
        ),
        (
            "not by another edge's",
            lone,
            BAD,
            &[("/b/M", 0, BAD), ("/c/M", 1, OK)],
        ),
        (
            "called again",
            retried,
            BAD,
            &[("/b/M", 0, BAD), ("/b/M", 1, BAD)],
        ),
        (
            "side by side",
            lone,
            BAD,
            &[("/b/M", 0, BAD), ("/b/M", 0, BAD)],
        ),
        (
            "an answer handed on",
            retried,
            NOT_FOUND,
            &[("/b/M", 0, NOT_FOUND)],
        ),
        (
            "settled by an answer",
            own,
            BAD,
            &[("/b/M", 0, BAD), ("/b/M", 1, NOT_FOUND)],
        ),
        (
            "an answer and another error",
            own,
            BAD,
            &[("/b/M", 0, NOT_FOUND)],
        ),
    ];
    for (name, expected, code, calls) in rows {
        assert_eq!(reason_after(code, calls), expected, "{name}");
    }
}

#[test]
fn a_loop_that_was_held_back_satisfies_its_edge() {
    for (held_back, expected) in [(true, Reason::Propagated), (false, Reason::AtLeastOnce)] {
        let mut ledger = Ledger::default();
        record(&mut ledger, ("/b/M", 0, BAD));
        ledger.end_loop("/b/M", BAD, 7, held_back);
        let (_, detail) = ledger.decide("/a.S/M", BAD, None);
        assert_eq!((detail.reason(), detail.attempts), (expected, 7));
    }
}

#[test]
fn the_application_chooses_and_takes_back() {
    let mut ledger = Ledger::default();
    ledger.choose(Claim::Unclaimed);
    let (claim, detail) = ledger.decide("/a.S/M", BAD, Some("shop"));
    assert_eq!(claim, Claim::Unclaimed);
    assert_eq!(detail.reason(), Reason::Application);
    assert_eq!(detail.owner_service, "shop");
    ledger.choose(Claim::Missing);
    assert_eq!(ledger.decide("/a.S/M", BAD, None).1.reason(), Reason::Own);
}

#[test]
fn pushbacks() {
    let rows: [(&[&str], Pushback); 10] = [
        (&[], Pushback::None),
        (&["0"], Pushback::Wait(0)),
        (&["120"], Pushback::Wait(120)),
        (&["-1"], Pushback::Stop),
        (&[""], Pushback::Stop),
        (&["soon"], Pushback::Stop),
        (&["+5"], Pushback::Stop),
        (&["5 "], Pushback::Stop),
        (&["99999999999999999999999"], Pushback::Stop),
        (&["5", "5"], Pushback::Stop),
    ];
    for (values, expected) in rows {
        let bytes: Vec<&[u8]> = values.iter().map(|value| value.as_bytes()).collect();
        assert_eq!(read_pushback(&bytes), expected, "{values:?}");
    }
}

#[test]
fn a_detail_fits() {
    let long = ErrorClaim {
        owner_service: "é".repeat(300),
        owner_method: "x".repeat(300),
        hops: u32::MAX,
        ..ErrorClaim::default()
    };
    let mut detail = passed_on(Some(&long), "/a/b");
    detail.attempts = u32::MAX;
    detail.set_reason(Reason::Propagated);
    let bytes = detail.encode_to_vec();
    assert!(bytes.len() <= DETAIL_MAX, "{} bytes", bytes.len());
    assert_eq!(detail.owner_service, "?".repeat(108));
    assert_eq!(detail.hops, u32::MAX);
    assert_eq!(read_detail(&bytes), Some(detail));
}
