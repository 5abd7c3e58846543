// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"math"
	"strconv"
	"time"
)

// A Reason says what a retry loop does after a call, and why.
type Reason string

// The reasons: all but the last end the loop. The first that fits counts.
const (
	ReasonOK         Reason = "ok"
	ReasonCancelled  Reason = "cancelled"  // the call, or the inbound call
	ReasonStatus     Reason = "status"     // not one that the loop retries
	ReasonCommitted  Reason = "committed"  // the application has a part of the answer
	ReasonAttempts   Reason = "attempts"   // it made its maximum of calls
	ReasonDeadline   Reason = "deadline"   // no time left after the wait
	ReasonUnclaimed  Reason = "unclaimed"  // the callee only passes the error on
	ReasonBudget     Reason = "budget"     // the retry budget is empty
	ReasonChain      Reason = "chain"      // the inbound call is itself a retry
	ReasonMultiplied Reason = "multiplied" // gRPC's own retries took the maximum
	ReasonPushback   Reason = "pushback"   // the callee says no
	ReasonRetry      Reason = "retry"
)

// A turn is what is known once a call of the loop has ended.
type turn struct {
	ok, cancelled, listed, committed bool
	callsLeft, timeLeft              bool
	claim                            Claim
	budgetEmpty, chained             bool
	attemptsLeft                     bool
	refused                          bool // by a pushback
}

// What the loop does; without ownership its reasons are left out.
func (t turn) reason(owned bool) Reason {
	switch {
	case t.ok:
		return ReasonOK
	case t.cancelled:
		return ReasonCancelled
	case !t.listed:
		return ReasonStatus
	case t.committed:
		return ReasonCommitted
	case !t.callsLeft:
		return ReasonAttempts
	case !t.timeLeft:
		return ReasonDeadline
	}
	if stop := t.owned(); owned && stop != ReasonRetry {
		return stop
	}
	if t.refused {
		return ReasonPushback
	}
	return ReasonRetry
}

// Ownership's reasons: rule 1, and the attempts that gRPC's own policy made.
func (t turn) owned() Reason {
	verdict := retryVerdict(true, t.claim, t.budgetEmpty, t.chained)
	switch {
	case verdict != "allowed":
		return Reason(verdict)
	case !t.attemptsLeft:
		return ReasonMultiplied
	}
	return ReasonRetry
}

// Whether a loop that allows two calls or more held a retry back where it ended
// with this: then the error has had its retry (rule 2).
func (r Reason) heldBack() bool {
	switch r {
	case ReasonCommitted, ReasonAttempts, ReasonDeadline, ReasonUnclaimed,
		ReasonBudget, ReasonChain, ReasonMultiplied, ReasonPushback:
		return true
	}
	return false
}

// The wait before the n-th retry, from 1; random is from 0 to 1. In gRPC's way.
func backoffMs(initialMs, maxMs, multiplier float64, n int, random float64) float64 {
	backoff := min(initialMs*math.Pow(multiplier, float64(n-1)), maxMs)
	return backoff * (0.8 + 0.4*random)
}

type pushbackKind int

const (
	pushbackNone pushbackKind = iota
	pushbackWait
	pushbackStop
)

// What the callee's pushback says; as in gRPC, several say no.
func readPushback(values []string) (kind pushbackKind, wait time.Duration) {
	switch len(values) {
	case 0:
		return pushbackNone, 0
	case 1:
		return readWait(values[0])
	}
	return pushbackStop, 0
}

// A negative value, or one that is no number, says no.
func readWait(value string) (kind pushbackKind, wait time.Duration) {
	ms, err := strconv.ParseInt(value, 10, 64)
	if err != nil || ms < 0 {
		return pushbackStop, 0
	}
	ms = min(ms, math.MaxInt64/int64(time.Millisecond))
	return pushbackWait, time.Duration(ms) * time.Millisecond
}
