// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"fmt"
	"slices"
	"time"

	"google.golang.org/grpc/codes"
)

// A Mode says what ownership does in a retry loop.
type Mode string

// The modes. Observe counts, and stops nothing; Off is a loop without ownership.
const (
	Off     Mode = "off"
	Observe Mode = "observe"
	Enforce Mode = "enforce"
)

const (
	callsMax      = 100
	waitMax       = 24 * time.Hour
	multiplierMax = 1000
)

// RetryOptions are of one loop. A field that is zero takes the default, here in
// brackets. The deadline of the loop is that of its context.
type RetryOptions struct {
	MaxAttempts    int           // 1 (no retry) to 100; gRPC's own retries below the loop count (3)
	Codes          []codes.Code  // that are retried; CANCELLED never is (UNAVAILABLE)
	InitialBackoff time.Duration // at most a day (100 ms)
	MaxBackoff     time.Duration // at most a day (1 s)
	Multiplier     float64       // of the backoff, from retry to retry: 1 to 1000 (2)
	Mode           Mode          // (Enforce)
	Budget         *Budget       // shared by loops; nil: none
	ChainStop      bool          // no retry where the inbound call is itself one
	// OnStop is told why the loop ended, and where it observes also for what
	// reason of ownership's Enforce would have ended it before.
	OnStop func(Reason)

	// The rest is for channels without a Client, which knows it otherwise.

	Method   string // the path that is called, /SERVICE/METHOD
	FailOpen bool   // the service carries on without this callee
	Alias    string // a second key for the claim
	Boundary bool   // believes and sends nothing of the protocol
}

// The options with the defaults filled in, checked.
func (o RetryOptions) settled() (RetryOptions, error) {
	orDefault(&o.MaxAttempts, 3)
	orDefault(&o.InitialBackoff, 100*time.Millisecond)
	orDefault(&o.MaxBackoff, time.Second)
	orDefault(&o.Multiplier, 2)
	orDefault(&o.Mode, Enforce)
	if len(o.Codes) == 0 {
		o.Codes = []codes.Code{codes.Unavailable}
	}
	o.Codes = slices.Clone(o.Codes)
	return o, o.check()
}

func orDefault[T comparable](value *T, otherwise T) {
	var zero T
	if *value == zero {
		*value = otherwise
	}
}

func (o *RetryOptions) check() error {
	switch {
	case o.MaxAttempts < 1 || o.MaxAttempts > callsMax:
		return refusal("MaxAttempts", o.MaxAttempts, "1 to 100")
	case !isWait(o.InitialBackoff):
		return refusal("InitialBackoff", o.InitialBackoff, "a time up to 24h")
	case !isWait(o.MaxBackoff):
		return refusal("MaxBackoff", o.MaxBackoff, "a time up to 24h")
	case !(o.Multiplier >= 1 && o.Multiplier <= multiplierMax): // nor NaN
		return refusal("Multiplier", o.Multiplier, "a number from 1 to 1000")
	case o.Mode != Off && o.Mode != Observe && o.Mode != Enforce:
		return refusal("Mode", fmt.Sprintf("%q", o.Mode), "off, observe or enforce")
	}
	for _, code := range o.Codes {
		if code == codes.OK || code > codes.Unauthenticated {
			return refusal("Codes", code, "status codes other than OK")
		}
	}
	return nil
}

func isWait(wait time.Duration) bool { return wait > 0 && wait <= waitMax }

func refusal(option string, value any, expected string) error {
	return fmt.Errorf("retry option %s: got %v, expected %s", option, value, expected)
}
