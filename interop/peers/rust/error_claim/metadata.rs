// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The protocol's keys in headers and trailers.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use prost::Message;
use tonic::Code;
use tonic::metadata::{BinaryMetadataValue, MetadataMap};

use crate::detail::{ErrorClaim, read_detail};
use crate::loop_rule::{Pushback, read_pushback};
use crate::rules::{Claim, is_marked, read_claim};

pub const CLAIM_KEY: HeaderName = HeaderName::from_static("error-claim");
pub const DETAIL_KEY: HeaderName = HeaderName::from_static("error-claim-bin");
pub const MARK_KEY: HeaderName = HeaderName::from_static("error-claim-retry");
pub const PUSHBACK_KEY: HeaderName = HeaderName::from_static("grpc-retry-pushback-ms");
const PREVIOUS_KEY: HeaderName = HeaderName::from_static("grpc-previous-rpc-attempts");
const STATUS_KEY: HeaderName = HeaderName::from_static("grpc-status");
const TIMEOUT_KEY: HeaderName = HeaderName::from_static("grpc-timeout");

/// What a callee said of its error.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Received {
    pub claim: Claim,
    pub detail: Option<ErrorClaim>,
}

impl Received {
    /// Reads the trailing metadata of an error, as a `Status` has it:
    /// `Received::read(status.metadata().as_ref(), None)`.
    pub fn read(trailers: &HeaderMap, alias: Option<&HeaderName>) -> Received {
        let alias_values = alias.map_or_else(Vec::new, |alias| values(trailers, alias));
        let claim = read_claim(&values(trailers, &CLAIM_KEY), &alias_values);
        let detail = match values(trailers, &DETAIL_KEY)[..] {
            [encoded] if claim != Claim::Missing => decode(encoded).and_then(|b| read_detail(&b)),
            _ => None,
        };
        Received { claim, detail }
    }
}

pub(crate) fn values<'a>(headers: &'a HeaderMap, key: &HeaderName) -> Vec<&'a [u8]> {
    let all = headers.get_all(key).iter();
    all.map(HeaderValue::as_bytes).collect()
}

/// The status in headers or trailers, where there is one.
pub(crate) fn code_of(headers: &HeaderMap) -> Option<i32> {
    let value = headers.get(STATUS_KEY)?;
    Some(Code::from_bytes(value.as_bytes()) as i32)
}

fn decode(encoded: &[u8]) -> Option<Vec<u8>> {
    let mut one = HeaderMap::new();
    one.insert(DETAIL_KEY, HeaderValue::from_bytes(encoded).ok()?);
    let one = MetadataMap::from_headers(one);
    let bytes = one.get_bin(DETAIL_KEY.as_str())?.to_bytes().ok()?;
    Some(bytes.to_vec())
}

/// Removes claims; says whether there were any.
pub(crate) fn remove_claims(headers: &mut HeaderMap, alias: Option<&HeaderName>) -> bool {
    let mut found = headers.remove(CLAIM_KEY).is_some();
    found |= headers.remove(DETAIL_KEY).is_some();
    found | alias.is_some_and(|alias| headers.remove(alias).is_some())
}

pub(crate) fn write_claim(
    trailers: &mut HeaderMap,
    alias: Option<&HeaderName>,
    claim: Claim,
    detail: &ErrorClaim,
) {
    let word = HeaderValue::from_static(claim.word());
    if let Some(alias) = alias {
        trailers.insert(alias, word.clone());
    }
    trailers.insert(CLAIM_KEY, word);
    let encoded = BinaryMetadataValue::from_bytes(&detail.encode_to_vec());
    if let Ok(encoded) = HeaderValue::from_bytes(encoded.as_encoded_bytes()) {
        trailers.insert(DETAIL_KEY, encoded);
    }
}

pub(crate) fn pushback_of(trailers: &HeaderMap) -> Pushback {
    read_pushback(&values(trailers, &PUSHBACK_KEY))
}

/// A pushback that says no and came with a callee's claim is the callee's.
pub(crate) fn remove_copied_stop(trailers: &mut HeaderMap) {
    if pushback_of(trailers) == Pushback::Stop {
        trailers.remove(PUSHBACK_KEY);
    }
}

pub(crate) fn write_stop(trailers: &mut HeaderMap) {
    trailers.insert(PUSHBACK_KEY, HeaderValue::from_static("-1"));
}

/// Leaves one mark or none: marks that the application forwarded count as one.
pub(crate) fn write_mark(headers: &mut HeaderMap, retry: bool, boundary: bool) {
    let marked = retry || is_marked(values(headers, &MARK_KEY));
    headers.remove(MARK_KEY);
    if marked && !boundary {
        headers.insert(MARK_KEY, HeaderValue::from_static("1"));
    }
}

/// Is the request a retry, by the mark or by gRPC's own count?
pub(crate) fn is_retry(headers: &HeaderMap) -> bool {
    let previous = headers.get(PREVIOUS_KEY).map(HeaderValue::as_bytes);
    let previous = previous.and_then(|value| str::from_utf8(value).ok()?.parse::<u32>().ok());
    previous.is_some_and(|n| n > 0) || is_marked(values(headers, &MARK_KEY))
}

/// The time that a request allows, where it says so.
pub fn timeout_of(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(TIMEOUT_KEY)?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.len() > 8 {
        return None;
    }
    let n: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(n * 3600),
        "M" => Duration::from_secs(n * 60),
        "S" => Duration::from_secs(n),
        "m" => Duration::from_millis(n),
        "u" => Duration::from_micros(n),
        "n" => Duration::from_nanos(n),
        _ => return None,
    })
}

pub(crate) fn has_timeout(headers: &HeaderMap) -> bool {
    headers.contains_key(TIMEOUT_KEY)
}
