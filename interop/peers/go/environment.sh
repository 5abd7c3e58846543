# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of the Go peer, with $here set: Debian's Go packages
# and ours, no modules and no network.
build=$(cd "$here/../../.." && pwd)/build/peers/go
export GOPATH=$build:/usr/share/gocode GO111MODULE=off GOFLAGS= GOPROXY=off
export GOCACHE=$build/cache CGO_ENABLED=0
# grpc-go 1.33 has no retries without it.
export GRPC_GO_RETRY=on
