// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
)

// A Retry is one retry loop of the application's around a call. It says whether
// to call again, and waits:
//
//	retry, err := errorclaim.NewRetry(ctx, errorclaim.RetryOptions{})
//	...
//	for {
//		var trailer metadata.MD
//		reply, err = stock.Get(retry.Context(), request, grpc.Trailer(&trailer))
//		if !retry.Again(err, trailer) {
//			break
//		}
//	}
//
// With a Client on the channel the loop knows the attempts that gRPC made below
// it; without one it reads the trailer itself, and Method says what is called.
// One call a turn; calls and turns may be on different goroutines.
type Retry struct {
	options RetryOptions
	ctx     context.Context
	in      *inbound

	mu            sync.Mutex
	calls         int
	attempts      uint32
	sincePushback int // retries
	started       int // the call, in the inbound's sequence
	committed     bool
	seen          *seenCall
	last          outbound
	ended         Reason
}

// What a Client saw of the call of this turn.
type seenCall struct {
	outbound
	pushback []string
}

type retryKey struct{}

func retryOf(ctx context.Context) *Retry {
	retry, _ := ctx.Value(retryKey{}).(*Retry)
	return retry
}

// NewRetry starts a loop that ends with the context, which ties it to the inbound
// call, if that is where it is from.
func NewRetry(ctx context.Context, options RetryOptions) (*Retry, error) {
	options, err := options.settled()
	if err != nil {
		return nil, err
	}
	r := &Retry{options: options}
	r.ctx = context.WithValue(ctx, retryKey{}, r)
	if options.Mode != Off {
		r.in = inboundOf(ctx)
		options.Budget.deposit()
	}
	r.next()
	return r, nil
}

// A call can start.
func (r *Retry) next() {
	r.seen = nil
	if r.in != nil {
		r.started, _ = r.in.start(r.options.Method)
	}
}

// Context is that of the next call: the second one and those after it carry the
// mark of a retry.
func (r *Retry) Context() context.Context {
	r.mu.Lock()
	again := r.calls > 0
	r.mu.Unlock()
	marked := again || r.in != nil && r.in.marked
	if !marked || r.options.Mode == Off || r.options.Boundary {
		return r.ctx
	}
	md, _ := metadata.FromOutgoingContext(r.ctx)
	md = metadata.Join(md)
	md.Set(markKey, "1")
	return metadata.NewOutgoingContext(r.ctx, md)
}

// Commit says that the application has a part of the answer, so that the call can
// not be made again. A Client says it by itself for each reply of a stream.
func (r *Retry) Commit() {
	r.mu.Lock()
	r.committed = true
	r.mu.Unlock()
}

// saw takes the end of a call from the Client.
func (r *Retry) saw(out outbound, trailer metadata.MD) {
	r.mu.Lock()
	r.seen = &seenCall{out, trailer.Get(pushbackKey)}
	r.mu.Unlock()
}

// Reason says why the loop ended; ReasonRetry: it has not.
func (r *Retry) Reason() Reason {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended == "" {
		return ReasonRetry
	}
	return r.ended
}

// Again takes the end of a call (io.EOF from Recv is a good one) and its trailing
// metadata, and waits where the call is to be made again; false: the loop has
// ended, and stays so.
func (r *Retry) Again(err error, trailer metadata.MD) bool {
	wait, again := r.After(err, trailer)
	if !again {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.ctx.Done():
		r.giveUp()
		return false
	}
}

// After is Again for those who wait by themselves.
func (r *Retry) After(err error, trailer metadata.MD) (wait time.Duration, again bool) {
	r.mu.Lock()
	if r.ended != "" {
		r.mu.Unlock()
		return 0, false
	}
	wait, reasons := r.decide(err, trailer)
	again = r.ended == ""
	r.mu.Unlock()
	r.tell(reasons)
	return wait, again
}

func (r *Retry) tell(reasons []Reason) {
	for _, reason := range reasons {
		if r.options.OnStop != nil && reason != ReasonRetry {
			r.options.OnStop(reason)
		}
	}
}

// The context ended during the wait.
func (r *Retry) giveUp() {
	reason := ReasonDeadline
	if r.isCancelled() {
		reason = ReasonCancelled
	}
	r.mu.Lock()
	r.end(reason)
	r.mu.Unlock()
	r.tell([]Reason{reason})
}

func (r *Retry) isCancelled() bool { return errors.Is(r.ctx.Err(), context.Canceled) }

// --- a call has ended ------------------------------------------------------------

// Decides, and answers with the reasons to tell: the one that would end the loop
// if it did not observe, and the one in force.
func (r *Retry) decide(err error, trailer metadata.MD) (time.Duration, []Reason) {
	values := r.take(err, trailer)
	kind, wait := readPushback(values)
	if kind == pushbackWait {
		r.sincePushback = 0
	} else {
		r.sincePushback++
		wait = r.backoff()
	}
	state := r.turn(wait)
	state.refused = kind == pushbackStop
	inForce := state.reason(r.options.Mode == Enforce)
	reasons := []Reason{inForce}
	if wanted := state.reason(r.options.Mode != Off); wanted != inForce {
		reasons = []Reason{wanted, inForce}
	}
	if inForce != ReasonRetry {
		r.end(inForce)
		return 0, reasons
	}
	if r.options.Mode != Off {
		r.options.Budget.withdraw()
	}
	r.next()
	return wait, reasons
}

// Notes how the call ended, and returns the values of its pushback. Without a
// Client nobody else has told the inbound call of it.
func (r *Retry) take(err error, trailer metadata.MD) (pushback []string) {
	if r.seen != nil {
		r.last, pushback = r.seen.outbound, r.seen.pushback
	} else {
		r.last = outbound{path: r.options.Method, started: r.started, claim: Missing,
			attempts: 1, failOpen: r.options.FailOpen}
		pushback = trailer.Get(pushbackKey)
	}
	if err != io.EOF {
		r.last.code = codeOf(err)
	}
	if r.seen == nil && r.options.Mode != Off {
		r.record(trailer)
	}
	r.calls++
	r.attempts += max(r.last.attempts, 1)
	return pushback
}

func (r *Retry) record(trailer metadata.MD) {
	if r.last.code != codes.OK && !r.options.Boundary {
		r.last.claim, r.last.detail = readTrailer(trailer, r.options.Alias)
	}
	if r.in != nil {
		r.in.record(r.last)
	}
}

func (r *Retry) backoff() time.Duration {
	initial, most := r.options.InitialBackoff, r.options.MaxBackoff
	ms := backoffMs(initial.Seconds()*1e3, most.Seconds()*1e3, r.options.Multiplier,
		r.sincePushback, rand.Float64())
	return time.Duration(ms * float64(time.Millisecond))
}

func (r *Retry) turn(wait time.Duration) turn {
	o := &r.options
	deadline, limited := r.ctx.Deadline()
	return turn{
		ok:           r.last.code == codes.OK,
		cancelled:    r.last.code == codes.Canceled || r.isCancelled(),
		listed:       slices.Contains(o.Codes, r.last.code),
		committed:    r.committed,
		callsLeft:    r.calls < o.MaxAttempts,
		timeLeft:     !limited || wait < time.Until(deadline),
		claim:        r.last.claim,
		budgetEmpty:  o.Budget.isEmpty(),
		chained:      o.ChainStop && r.in != nil && r.in.marked,
		attemptsLeft: int(r.attempts) < o.MaxAttempts,
	}
}

// A loop of two calls or more is a retry policy: where it held a retry back, the
// error has had its retry.
func (r *Retry) end(reason Reason) {
	if r.ended != "" {
		return
	}
	r.ended = reason
	if r.in != nil && r.last.code != codes.OK {
		r.in.endLoop(r.last.path, r.attempts, r.options.MaxAttempts > 1 && reason.heldBack())
	}
}
