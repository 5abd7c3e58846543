// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"math"
	"slices"
	"strconv"
	"strings"

	pb "eown/generated/v1"

	"google.golang.org/protobuf/proto"
)

const (
	detailMax = 256
	nameMax   = 108 // two such names and three numbers fit into a detail
)

// A Claim is what a callee says of its error.
type Claim string

// The claims. Missing stands for none that can be believed.
const (
	Missing   Claim = "missing"
	Claimed   Claim = "claimed"
	Unclaimed Claim = "unclaimed"
)

// Rule 1: may the attempt be retried, or what stops it?
func retryVerdict(failed bool, claim Claim, budgetEmpty, chained bool) string {
	switch {
	case !failed:
		return "ok"
	case claim == Unclaimed:
		return "unclaimed"
	case budgetEmpty:
		return "budget"
	case chained:
		return "chain"
	}
	return "allowed"
}

// Rule 2: has this error had its retry? A policy that covers the status either
// retried, or something held it back.
func criteriaSatisfied(claim Claim, retried, covered, application bool) bool {
	return application || claim == Unclaimed || retried || covered
}

// Rule 3, of one outbound. The highest reason of all outbounds speaks.
func reasonOf(failed, failOpen, satisfied bool) pb.ErrorClaim_Reason {
	switch {
	case !failed:
		return pb.ErrorClaim_OWN
	case failOpen:
		return pb.ErrorClaim_COINCIDENTAL
	case satisfied:
		return pb.ErrorClaim_PROPAGATED
	}
	return pb.ErrorClaim_AT_LEAST_ONCE
}

func claimOf(reason pb.ErrorClaim_Reason) Claim {
	if reason == pb.ErrorClaim_PROPAGATED {
		return Unclaimed
	}
	return Claimed
}

// The claim that values of the key and of its alias make: one word, or none.
func readClaim(values, aliasValues []string) Claim {
	if len(values) > 1 || len(aliasValues) > 1 {
		return Missing
	}
	all := slices.Concat(values, aliasValues)
	if len(all) == 0 || all[0] != all[len(all)-1] {
		return Missing
	}
	if word := Claim(all[0]); word == Claimed || word == Unclaimed {
		return word
	}
	return Missing
}

// Where the key of the mark comes more than once, one 1 is enough.
func hasMark(values []string) bool { return slices.Contains(values, "1") }

// A retry that gRPC made: the number of attempts before it.
func hasPrevious(values []string) bool {
	return slices.ContainsFunc(values, func(value string) bool {
		n, err := strconv.Atoi(value)
		return err == nil && n > 0
	})
}

func isPrintable(r rune) bool { return r >= ' ' && r <= '~' }

func cutName(name string) string {
	name = strings.Map(func(r rune) rune {
		if isPrintable(r) {
			return r
		}
		return '?'
	}, name)
	if len(name) > nameMax {
		name = name[:nameMax]
	}
	return name
}

// The detail in these bytes; nil where they are none to be believed.
func readDetail(bytes string) *pb.ErrorClaim {
	detail := &pb.ErrorClaim{}
	if len(bytes) > detailMax || proto.Unmarshal([]byte(bytes), detail) != nil {
		return nil
	}
	names := detail.OwnerService + detail.OwnerMethod
	if strings.ContainsFunc(names, func(r rune) bool { return !isPrintable(r) }) {
		return nil
	}
	if _, known := pb.ErrorClaim_Reason_name[int32(detail.Reason)]; !known {
		detail.Reason = pb.ErrorClaim_NONE
	}
	return detail
}

func splitPath(path string) (service, method string) {
	service = strings.TrimPrefix(path, "/")
	service, method, _ = strings.Cut(service, "/")
	return service, method
}

func ownerOf(path, service string) *pb.ErrorClaim {
	first, method := splitPath(path)
	if service == "" {
		service = first
	}
	return &pb.ErrorClaim{OwnerService: cutName(service), OwnerMethod: cutName(method)}
}

// What to say of an error that is only passed on.
func passedOn(received *pb.ErrorClaim, path string) *pb.ErrorClaim {
	detail := ownerOf(path, "")
	if received.GetOwnerService() != "" {
		detail.OwnerService = cutName(received.OwnerService)
		detail.OwnerMethod = cutName(received.OwnerMethod)
		detail.Hops = received.Hops
	}
	if detail.Hops < math.MaxUint32 {
		detail.Hops++
	}
	return detail
}
