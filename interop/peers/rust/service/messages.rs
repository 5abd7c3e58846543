// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

//! protos/eown/interop/v1/node.proto; a test compares them.

#[derive(Clone, PartialEq, prost::Message)]
pub struct CallRequest {
    #[prost(uint64, tag = "1")]
    pub id: u64,
    #[prost(bytes = "vec", tag = "2")]
    pub payload: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct CallReply {
    #[prost(string, tag = "1")]
    pub node: String,
    #[prost(uint32, tag = "2")]
    pub nodes_below: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct StatsRequest {
    #[prost(bool, tag = "1")]
    pub reset: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct StatsReply {
    #[prost(string, tag = "1")]
    pub json: String,
}
