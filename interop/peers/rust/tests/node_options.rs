// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

use tonic::Code;

use crate::dice::{Dice, split_mix};
use crate::options::{HELP, Options, Ownership, Refusal, RetryBy};

fn read(line: &str) -> Result<Options, Refusal> {
    Options::read(line.split_whitespace().map(str::to_owned))
}

#[test]
fn all_options() {
    let options = read(
        "--name D --listen=[::1]:7 --callee C=h:1 --callee B=[::1]:2,fail-open \
         --fail-rate 0.5 --fail-status internal --healthy-first 3 --seed 4 \
         --attempts 5 --retry-codes aborted,DATA_LOSS --retry-by application \
         --ownership observe --context none",
    )
    .unwrap();
    assert_eq!((options.name.as_str(), options.seed), ("D", 4));
    assert_eq!(options.listen, "[::1]:7");
    assert_eq!(options.callees[1].target, "[::1]:2");
    assert!(options.callees[1].fail_open && !options.callees[0].fail_open);
    assert_eq!((options.fail_rate, options.healthy_first), (0.5, 3));
    assert_eq!(options.fail_status, Code::Internal);
    assert_eq!(options.retry_codes, [Code::Aborted, Code::DataLoss]);
    assert_eq!((options.attempts, options.tied), (5, false));
    assert_eq!(options.retry_by, RetryBy::Application);
    assert_eq!(options.ownership, Ownership::Observe);
}

#[test]
fn defaults() {
    let options = read("").unwrap();
    assert_eq!(options.listen, "127.0.0.1:0");
    assert_eq!((options.attempts, options.tied), (1, true));
    assert_eq!(options.retry_by, RetryBy::Grpc);
    assert_eq!(options.ownership, Ownership::Stock);
    assert_eq!(options.retry_codes.len(), 7);
    for by in ["grpc", "application", "both"] {
        assert!(read(&format!("--attempts 1 --retry-by {by}")).is_ok());
    }
}

#[test]
fn refusals() {
    for (line, expected) in [
        ("--parallel", "got \"--parallel\""),
        ("word", "got \"word\""),
        (
            "--fail-rate 2",
            "--fail-rate: got \"2\", expected a number from 0 to 1",
        ),
        ("--fail-rate NaN", "--fail-rate: got \"NaN\""),
        ("--callee D", "--callee: got \"D\", expected NAME=HOST:PORT"),
        ("--callee D=h:0", "--callee: got \"D=h:0\""),
        ("--callee D=h:1,fail", "--callee: got \"D=h:1,fail\""),
        ("--listen 7", "--listen: got \"7\", expected HOST:PORT"),
        ("--listen h:70000", "--listen: got \"h:70000\""),
        ("--name a/b", "--name: got \"a/b\""),
        ("--fail-status OK", "--fail-status: got \"OK\""),
        (
            "--retry-codes UNAVAILABLE,SAD",
            "--retry-codes: got \"UNAVAILABLE,SAD\"",
        ),
        (
            "--context thread",
            "--context: got \"thread\", expected one of parent, none",
        ),
        (
            "--retry-by me",
            "--retry-by: got \"me\", expected one of grpc, application, both",
        ),
        ("--ownership all", "--ownership: got \"all\""),
        (
            "--attempts 0",
            "--attempts: got \"0\", expected a whole number from 1 to 100",
        ),
        ("--attempts 101", "--attempts: got \"101\""),
        ("--seed -1", "--seed: got \"-1\""),
        ("--attempts", "--attempts: expected a value"),
        (
            "--attempts 2",
            "--retry-by grpc with --attempts 2: tonic has no retry policy",
        ),
        (
            "--attempts 3 --retry-by both",
            "--retry-by both with --attempts 3: tonic has no",
        ),
    ] {
        match read(line) {
            Err(Refusal::Bad(message)) => {
                assert!(message.starts_with(expected), "{line}: {message}");
            }
            other => panic!("{line}: {other:?}"),
        }
    }
    assert!(matches!(read("--help"), Err(Refusal::Help)));
    assert!(HELP.contains("--callee NAME=HOST:PORT"));
}

/// The same calls fail as in an eown-node of this name and seed: outputs of
/// SplitMix64 for the seed 0 are published.
#[test]
fn dice() {
    assert_eq!(split_mix(0, 0), 0xe220_a839_7b1d_cdaf);
    let failures = |rate, healthy_first| {
        let dice = Dice::new("D", 7, rate, healthy_first);
        (0..1000).filter(|_| dice.throw()).count()
    };
    let half = failures(0.5, 0);
    assert!((400..=600).contains(&half), "{half}");
    assert_eq!(failures(0.5, 0), half);
    assert_eq!(failures(1.0, 990), 10);
}
