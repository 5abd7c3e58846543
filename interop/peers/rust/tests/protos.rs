// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The messages are written by hand; here protoc says what the .proto files
//! make of the same values.

use std::io::Write;
use std::process::{Command, Stdio};

use error_claim::{ErrorClaim, Reason};
use prost::Message;

use crate::messages::{CallReply, CallRequest, StatsReply, StatsRequest};

const PROTOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../protos");

/// What protoc encodes of a message in text form.
fn encode(file: &str, message: &str, text: &str) -> Vec<u8> {
    let mut protoc = Command::new("protoc")
        .args([&format!("-I{PROTOS}"), &format!("--encode={message}")])
        .arg(format!("eown/{file}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("protoc");
    let mut input = protoc.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    let output = protoc.wait_with_output().unwrap();
    assert!(output.status.success(), "{message}: {text}");
    output.stdout
}

#[test]
fn the_messages_of_the_node() {
    let same = |name: &str, text: &str, ours: Vec<u8>| {
        let name = format!("eown.interop.v1.{name}");
        assert_eq!(encode("interop/v1/node.proto", &name, text), ours, "{name}");
    };
    let request = CallRequest {
        id: 1 << 40,
        payload: vec![1, 2],
    };
    let id = "id: 1099511627776 payload: '\\001\\002'";
    same("CallRequest", id, request.encode_to_vec());
    let reply = CallReply {
        node: "D".to_owned(),
        nodes_below: 3,
    };
    same(
        "CallReply",
        "node: 'D' nodes_below: 3",
        reply.encode_to_vec(),
    );
    let request = StatsRequest { reset: true };
    same("StatsRequest", "reset: true", request.encode_to_vec());
    let json = "{}".to_owned();
    same(
        "StatsReply",
        "json: '{}'",
        StatsReply { json }.encode_to_vec(),
    );
}

#[test]
fn the_detail() {
    for reason in Reason::ALL {
        let claim = ErrorClaim {
            owner_service: "a.S".to_owned(),
            owner_method: "M".to_owned(),
            hops: 3,
            attempts: 300,
            reason: reason as i32,
        };
        let text = format!(
            "owner_service: 'a.S' owner_method: 'M' hops: 3 attempts: 300 reason: {}",
            reason.name()
        );
        let encoded = encode("v1/error_claim.proto", "eown.v1.ErrorClaim", &text);
        assert_eq!(encoded, claim.encode_to_vec(), "{reason:?}");
    }
}
