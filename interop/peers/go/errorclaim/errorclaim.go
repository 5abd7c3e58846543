// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

// Package errorclaim is error ownership for grpc-go, as protos/PROTOCOL.md says:
// interceptors for servers (Server) and channels (Client) and a helper for the
// application's own retry loops (Retry). The rules, which know nothing of gRPC,
// are in rules.go and loop.go.
//
// The interceptors sit above gRPC's retries: it is the pushback of the callee
// that stops a retry of gRPC's, not they.
package errorclaim

import (
	"slices"

	pb "eown/generated/v1"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const (
	claimKey    = "error-claim"
	detailKey   = "error-claim-bin"
	markKey     = "error-claim-retry"
	pushbackKey = "grpc-retry-pushback-ms"
	previousKey = "grpc-previous-rpc-attempts"
)

// The code that a server sends for an error, which may be one of a context.
func codeOf(err error) codes.Code {
	if s, ok := status.FromError(err); ok {
		return s.Code()
	}
	return status.FromContextError(err).Code()
}

func isMarked(md metadata.MD) bool {
	return hasMark(md.Get(markKey)) || hasPrevious(md.Get(previousKey))
}

// Says whether there was a claim, a good one or not.
func removeClaim(md metadata.MD, alias string) (found bool) {
	for _, key := range []string{claimKey, detailKey, alias} {
		found = found || len(md.Get(key)) > 0
		md.Delete(key)
	}
	return found
}

// Removes a pushback that forbids retries.
func removeStop(md metadata.MD) {
	left := slices.DeleteFunc(md.Get(pushbackKey), func(value string) bool {
		kind, _ := readWait(value)
		return kind == pushbackStop
	})
	md.Delete(pushbackKey)
	md.Set(pushbackKey, left...)
}

// The claim of an error and its detail, if they can be believed.
func readTrailer(trailer metadata.MD, alias string) (Claim, *pb.ErrorClaim) {
	var aliasValues []string
	if alias != "" {
		aliasValues = trailer.Get(alias)
	}
	claim := readClaim(trailer.Get(claimKey), aliasValues)
	details := trailer.Get(detailKey)
	if claim == Missing || len(details) != 1 {
		return claim, nil
	}
	return claim, readDetail(details[0])
}
