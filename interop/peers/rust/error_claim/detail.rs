// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! The detail of a claim: protos/eown/v1/error_claim.proto. A test compares it
//! with the `.proto`; to generate six small messages would cost more time than
//! to build all else that is ours.

use prost::Message;

pub const DETAIL_MAX: usize = 256;
const NAME_MAX: usize = 108; // two such names and three numbers fit

#[derive(Clone, PartialEq, prost::Message)]
pub struct ErrorClaim {
    #[prost(string, tag = "1")]
    pub owner_service: String,
    #[prost(string, tag = "2")]
    pub owner_method: String,
    #[prost(uint32, tag = "3")]
    pub hops: u32,
    #[prost(uint32, tag = "4")]
    pub attempts: u32,
    #[prost(enumeration = "Reason", tag = "5")]
    pub reason: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum Reason {
    None = 0,
    Own = 1,
    Coincidental = 2,
    Unreachable = 3,
    AtLeastOnce = 4,
    Propagated = 5,
    Application = 6,
}

impl Reason {
    pub const ALL: [Reason; 7] = [
        Reason::None,
        Reason::Own,
        Reason::Coincidental,
        Reason::Unreachable,
        Reason::AtLeastOnce,
        Reason::Propagated,
        Reason::Application,
    ];

    /// As the .proto has it.
    pub fn name(self) -> &'static str {
        match self {
            Reason::None => "NONE",
            Reason::Own => "OWN",
            Reason::Coincidental => "COINCIDENTAL",
            Reason::Unreachable => "UNREACHABLE",
            Reason::AtLeastOnce => "AT_LEAST_ONCE",
            Reason::Propagated => "PROPAGATED",
            Reason::Application => "APPLICATION",
        }
    }
}

fn is_printable(name: &str) -> bool {
    name.bytes().all(|c| (b' '..=b'~').contains(&c))
}

fn cut_name(name: &str) -> String {
    name.chars()
        .take(NAME_MAX)
        .map(|c| if (' '..='~').contains(&c) { c } else { '?' })
        .collect()
}

/// The detail in these bytes; none where they are not to be believed.
pub fn read_detail(bytes: &[u8]) -> Option<ErrorClaim> {
    if bytes.len() > DETAIL_MAX {
        return None;
    }
    let mut detail = ErrorClaim::decode(bytes).ok()?;
    if !is_printable(&detail.owner_service) || !is_printable(&detail.owner_method) {
        return None;
    }
    let reason = Reason::try_from(detail.reason).unwrap_or(Reason::None);
    detail.set_reason(reason);
    Some(detail)
}

/// The owner of an error of the method `path`, under the name `service` if
/// there is one.
pub fn owner_of(path: &str, service: Option<&str>) -> ErrorClaim {
    let path = path.strip_prefix('/').unwrap_or(path);
    let (first, method) = path.split_once('/').unwrap_or((path, ""));
    ErrorClaim {
        owner_service: cut_name(service.unwrap_or(first)),
        owner_method: cut_name(method),
        ..ErrorClaim::default()
    }
}

/// What to say of an error that is only passed on.
pub fn passed_on(received: Option<&ErrorClaim>, path: &str) -> ErrorClaim {
    let named = received.filter(|detail| !detail.owner_service.is_empty());
    let mut detail = owner_of(path, None);
    if let Some(callee) = named {
        detail.owner_service = cut_name(&callee.owner_service);
        detail.owner_method = cut_name(&callee.owner_method);
        detail.hops = callee.hops;
    }
    detail.hops = detail.hops.saturating_add(1);
    detail
}
