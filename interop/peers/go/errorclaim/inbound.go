// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"sync"

	pb "eown/generated/v1"

	"google.golang.org/grpc/codes"
)

func isFault(code codes.Code) bool {
	switch code {
	case codes.Unknown, codes.DeadlineExceeded, codes.ResourceExhausted,
		codes.Aborted, codes.Internal, codes.Unavailable, codes.DataLoss:
		return true
	}
	return false
}

// An outbound is one call as it ended.
type outbound struct {
	path     string
	started  int // sequence of its inbound when it was started
	code     codes.Code
	claim    Claim
	detail   *pb.ErrorClaim
	covered  bool // by the retry policy
	attempts uint32
	failOpen bool
}

// An edge is what failed on one method since it last succeeded.
type edge struct {
	codes                   map[codes.Code]bool
	satisfied               bool
	firstFailed, lastFailed int
	last                    outbound
}

func (e *edge) hasFault() bool {
	for code := range e.codes {
		if isFault(code) {
			return true
		}
	}
	return false
}

// A status that answers the request counts only where it is handed on.
func (e *edge) reason(code codes.Code) pb.ErrorClaim_Reason {
	handedOn := !isFault(code) && e.codes[code]
	return reasonOf(e.hasFault() || handedOn, e.last.failOpen, e.satisfied || handedOn)
}

// An inbound is one call served and what became of the calls made for it.
type inbound struct {
	path     string
	marked   bool // it is itself a retry
	mu       sync.Mutex
	claim    Claim // as chosen by the application
	sequence int   // failures so far
	edges    map[string]*edge
}

func newInbound(path string) *inbound {
	return &inbound{path: path, edges: map[string]*edge{}}
}

// Where a call that starts now stands, and whether it goes out as a retry.
func (in *inbound) start(path string) (started int, retry bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	e := in.edges[path]
	return in.sequence, in.marked || e != nil && e.hasFault()
}

// Takes the end of an outbound call. What failed before it was started is
// settled by it, what failed beside it is not.
func (in *inbound) record(out outbound) {
	in.mu.Lock()
	defer in.mu.Unlock()
	e := in.edges[out.path]
	settles := e != nil && out.started >= e.lastFailed
	if out.code == codes.OK {
		if settles {
			delete(in.edges, out.path)
		}
		return
	}
	again := e != nil && e.hasFault() && out.started >= e.firstFailed
	in.sequence++
	if e == nil || settles {
		e = &edge{codes: map[codes.Code]bool{}, firstFailed: in.sequence}
		in.edges[out.path] = e
	}
	e.codes[out.code] = true
	e.satisfied = e.satisfied || isFault(out.code) &&
		criteriaSatisfied(out.claim, out.attempts > 1 || again, out.covered, false)
	e.lastFailed, e.last = in.sequence, out
}

// Takes the end of a retry loop whose last call, of which this is said, failed:
// its calls together are what was tried, and where it held a retry back the error
// has had its retry.
func (in *inbound) endLoop(path string, attempts uint32, heldBack bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if e := in.edges[path]; e != nil {
		e.last.attempts = attempts
		e.satisfied = e.satisfied || heldBack
	}
}

// The claim and the detail for the error that the inbound ends with.
func (in *inbound) decide(code codes.Code, service string) (Claim, *pb.ErrorClaim) {
	in.mu.Lock()
	defer in.mu.Unlock()
	reason := pb.ErrorClaim_OWN
	var speaker *edge
	for _, e := range in.edges {
		one := e.reason(code)
		later := speaker == nil || e.lastFailed > speaker.lastFailed
		if one > reason || one == reason && one > pb.ErrorClaim_OWN && later {
			reason, speaker = one, e
		}
	}
	claim := claimOf(reason)
	if in.claim != "" {
		claim, reason = in.claim, pb.ErrorClaim_APPLICATION
	}
	detail := ownerOf(in.path, service)
	if claim == Unclaimed && speaker != nil {
		detail = passedOn(speaker.last.detail, speaker.last.path)
	}
	if speaker != nil {
		detail.Attempts = speaker.last.attempts
	}
	detail.Reason = reason
	return claim, detail
}

type inboundKey struct{}

func inboundOf(ctx context.Context) *inbound {
	in, _ := ctx.Value(inboundKey{}).(*inbound)
	return in
}

// ChooseClaim sets the claim of the error of the inbound call that ctx is of.
func ChooseClaim(ctx context.Context, claim Claim) {
	if in := inboundOf(ctx); in != nil {
		in.mu.Lock()
		in.claim = claim
		in.mu.Unlock()
	}
}

// SetRetried says that the failures so far have had their retry.
func SetRetried(ctx context.Context) {
	if in := inboundOf(ctx); in != nil {
		in.mu.Lock()
		for _, e := range in.edges {
			e.satisfied = true
		}
		in.mu.Unlock()
	}
}
