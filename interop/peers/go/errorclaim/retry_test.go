// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	node "eown/generated/interop/v1"
	pb "eown/generated/v1"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Waits that a test does not feel, and one that it would not survive.
const (
	short = time.Microsecond
	never = 24 * time.Hour
)

func newRetry(t *testing.T, ctx context.Context, options RetryOptions) *Retry {
	t.Helper()
	orDefault(&options.InitialBackoff, short)
	orDefault(&options.MaxBackoff, max(short, options.InitialBackoff))
	options.Method = "/D/Call"
	retry, err := NewRetry(ctx, options)
	if err != nil {
		t.Fatal(err)
	}
	return retry
}

// Calls D in a loop.
func loop(t *testing.T, ctx context.Context, channel *grpc.ClientConn, options RetryOptions) (end, *Retry) {
	t.Helper()
	retry := newRetry(t, ctx, options)
	for {
		ended := invoke(retry.Context(), channel, "/D/Call")
		if !retry.Again(ended.status.Err(), ended.trailer) {
			return ended, retry
		}
	}
}

// The channels that a loop can be over: it does the same.
func overBoth(t *testing.T, test func(t *testing.T, channelTo func(d *callee) *grpc.ClientConn)) {
	t.Run("with a Client", func(t *testing.T) {
		test(t, func(d *callee) *grpc.ClientConn { return client(t, d.address, ClientOptions{}) })
	})
	t.Run("without a Client", func(t *testing.T) {
		test(t, func(d *callee) *grpc.ClientConn { return dial(t, d.address) })
	})
}

// Loops over D in C, and passes on how that ended; C's caller sees the claim.
func loopInC(t *testing.T, channel *grpc.ClientConn, options RetryOptions) *caller {
	return callerOf(t, Server{}, func(ctx context.Context) error {
		ended, _ := loop(t, ctx, channel, options)
		return ended.status.Err()
	})
}

func TestTheLoopEnds(t *testing.T) {
	empty, _ := NewBudget(0, 0)
	for name, row := range map[string]struct {
		code    codes.Code
		trailer []string
		options RetryOptions
		expect  Reason
		marks   string // of each call
		claim   string // of C's error
		count   uint32 // attempts in its detail
	}{
		"attempts": {codes.Unavailable, nil, RetryOptions{}, ReasonAttempts, ",1,1", "unclaimed", 3},
		"one call": {codes.Unavailable, nil, RetryOptions{MaxAttempts: 1}, ReasonAttempts, "", "claimed", 1},
		"claimed": {codes.Unavailable, []string{claimKey, "claimed"}, RetryOptions{MaxAttempts: 2},
			ReasonAttempts, ",1", "unclaimed", 2},
		"another status": {codes.Internal, nil, RetryOptions{}, ReasonStatus, "", "claimed", 1},
		"a status of its own": {codes.Internal, nil, RetryOptions{Codes: []codes.Code{codes.Aborted, codes.Internal}},
			ReasonAttempts, ",1,1", "unclaimed", 3},
		"cancelled": {codes.Canceled, nil, RetryOptions{Codes: []codes.Code{codes.Canceled}},
			ReasonCancelled, "", "unclaimed", 1},
		"unclaimed": {codes.Unavailable, []string{claimKey, "unclaimed"}, RetryOptions{},
			ReasonUnclaimed, "", "unclaimed", 1},
		"not believed": {codes.Unavailable, []string{claimKey, "unclaimed", claimKey, "unclaimed"},
			RetryOptions{MaxAttempts: 2}, ReasonAttempts, ",1", "unclaimed", 2},
		"pushback": {codes.Unavailable, []string{pushbackKey, "-1"}, RetryOptions{},
			ReasonPushback, "", "unclaimed", 1},
		"no pushback": {codes.Unavailable, []string{pushbackKey, "soon"}, RetryOptions{},
			ReasonPushback, "", "unclaimed", 1},
		"a wait of 0": {codes.Unavailable, []string{pushbackKey, "0"}, RetryOptions{InitialBackoff: never},
			ReasonAttempts, ",1,1", "unclaimed", 3},
		"a wait beyond the deadline": {codes.Unavailable, []string{pushbackKey, "86400000"}, RetryOptions{},
			ReasonDeadline, "", "unclaimed", 1},
		"deadline": {codes.Unavailable, nil, RetryOptions{InitialBackoff: never},
			ReasonDeadline, "", "unclaimed", 1},
		"budget": {codes.Unavailable, nil, RetryOptions{Budget: empty}, ReasonBudget, "", "unclaimed", 1},
		"observe": {codes.Unavailable, []string{claimKey, "unclaimed"}, RetryOptions{Mode: Observe},
			ReasonAttempts, ",1,1", "unclaimed", 3},
		"observe a pushback": {codes.Unavailable, []string{claimKey, "unclaimed", pushbackKey, "-1"},
			RetryOptions{Mode: Observe}, ReasonPushback, "", "unclaimed", 1},
	} {
		t.Run(name, func(t *testing.T) {
			overBoth(t, func(t *testing.T, channelTo func(*callee) *grpc.ClientConn) {
				var stops []Reason
				options := row.options
				options.OnStop = func(reason Reason) { stops = append(stops, reason) }
				d := failing(t, row.code, row.trailer...)
				c := loopInC(t, channelTo(d), options)
				ended := invoke(background, dial(t, c.address), "/C/Call")
				expect(t, "reason", stops[len(stops)-1], row.expect)
				expect(t, "marks", d.allMarks(), row.marks)
				expect(t, "claim", ended.values(claimKey), row.claim)
				expect(t, "attempts", ended.detail().GetAttempts(), row.count)
				if row.claim == "unclaimed" {
					expect(t, "owner", ended.detail().OwnerService+ended.detail().OwnerMethod, "DCall")
				}
			})
		})
	}
}

// Loops share a budget: 50 % of two calls are one retry.
func TestABudgetIsUsedUp(t *testing.T) {
	budget, _ := NewBudget(50, 0)
	d := failing(t, codes.Unavailable)
	channel := dial(t, d.address)
	for _, served := range []int{1, 3, 4} {
		_, retry := loop(t, background, channel, RetryOptions{Budget: budget})
		expect(t, "reason", retry.Reason(), ReasonBudget)
		expect(t, "served in all", d.served(), served)
	}
}

func TestTheLoopGetsItsAnswer(t *testing.T) {
	overBoth(t, func(t *testing.T, channelTo func(*callee) *grpc.ClientConn) {
		d := failingFirst(t, 1, codes.Unavailable)
		channel := channelTo(d)
		c := callerOf(t, Server{}, func(ctx context.Context) error {
			ended, retry := loop(t, ctx, channel, RetryOptions{})
			expect(t, "code", ended.status.Code(), codes.OK)
			expect(t, "reason", retry.Reason(), ReasonOK)
			return status.Error(codes.Unavailable, "own")
		})
		ended := invoke(background, dial(t, c.address), "/C/Call")
		expect(t, "marks", d.allMarks(), ",1")
		expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_OWN)
	})
}

func TestTheLoopWithoutAnInboundCall(t *testing.T) {
	overBoth(t, func(t *testing.T, channelTo func(*callee) *grpc.ClientConn) {
		d := failing(t, codes.Unavailable)
		twice := metadata.AppendToOutgoingContext(background, markKey, "yes", "x-own", "kept")
		_, retry := loop(t, twice, channelTo(d), RetryOptions{MaxAttempts: 2})
		expect(t, "reason", retry.Reason(), ReasonAttempts)
		expect(t, "marks", strings.Replace(d.allMarks(), "yes", "", 1), ",1")
	})
}

func TestTheLoopOfAMarkedInboundCall(t *testing.T) {
	overBoth(t, func(t *testing.T, channelTo func(*callee) *grpc.ClientConn) {
		for stop, marks := range map[bool]string{true: "1", false: "1,1,1"} {
			d := failing(t, codes.Unavailable)
			c := loopInC(t, channelTo(d), RetryOptions{ChainStop: stop})
			marked := metadata.AppendToOutgoingContext(background, markKey, "1")
			ended := invoke(marked, dial(t, c.address), "/C/Call")
			expect(t, "marks", d.allMarks(), marks)
			expect(t, "claim", ended.values(claimKey), "unclaimed")
		}
	})
}

func TestAttemptsOfGRPCsOwnPolicyCount(t *testing.T) {
	for most, row := range map[int]struct {
		served int
		expect Reason
	}{1: {2, ReasonAttempts}, 2: {2, ReasonMultiplied}, 3: {4, ReasonMultiplied}, 4: {4, ReasonMultiplied}} {
		d := failing(t, codes.Unavailable)
		channel := client(t, d.address, ClientOptions{Config: two})
		var reason atomic.Value
		c := loopInC(t, channel, RetryOptions{MaxAttempts: most,
			OnStop: func(r Reason) { reason.Store(r) }})
		ended := invoke(background, dial(t, c.address), "/C/Call")
		expect(t, fmt.Sprint(most), reason.Load().(Reason), row.expect)
		expect(t, fmt.Sprint(most), d.served(), row.served)
		expect(t, fmt.Sprint(most), ended.detail().GetAttempts(), uint32(row.served))
		expect(t, fmt.Sprint(most), ended.values(claimKey), "unclaimed")
	}
}

// Where a node observes it is told what enforce would have done, and goes on.
func TestObserveCounts(t *testing.T) {
	var stops []Reason
	d := failing(t, codes.Unavailable, claimKey, "unclaimed")
	loop(t, background, client(t, d.address, ClientOptions{}), RetryOptions{Mode: Observe,
		OnStop: func(reason Reason) { stops = append(stops, reason) }})
	expect(t, "stops", fmt.Sprint(stops), "[unclaimed unclaimed attempts]")
	expect(t, "served", d.served(), 3)
}

func TestWithoutOwnership(t *testing.T) {
	empty, _ := NewBudget(0, 0)
	d := failing(t, codes.Unavailable, claimKey, "unclaimed")
	c := loopInC(t, dial(t, d.address), RetryOptions{Mode: Off, Budget: empty, ChainStop: true})
	ended := invoke(metadata.AppendToOutgoingContext(background, markKey, "1"), dial(t, c.address), "/C/Call")
	expect(t, "marks", d.allMarks(), ",,")
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_OWN) // tied to nothing
	d = failing(t, codes.Unavailable, pushbackKey, "-1")
	_, retry := loop(t, background, dial(t, d.address), RetryOptions{Mode: Off})
	expect(t, "pushback", retry.Reason(), ReasonPushback)
}

func TestTheLoopAtATrustBoundary(t *testing.T) {
	d := failing(t, codes.Unavailable, claimKey, "unclaimed")
	for _, channel := range []*grpc.ClientConn{dial(t, d.address),
		client(t, d.address, ClientOptions{Boundary: true})} {
		_, retry := loop(t, background, channel, RetryOptions{Boundary: true})
		expect(t, "reason", retry.Reason(), ReasonAttempts)
	}
	expect(t, "marks", d.allMarks(), ",,,,,")
	_, retry := loop(t, background, client(t, d.address, ClientOptions{Boundary: true}), RetryOptions{})
	expect(t, "reason, as the Client has it", retry.Reason(), ReasonAttempts)
	expect(t, "marks, as the Client has it", d.allMarks(), ",,,,,,,,")
}

func TestTheLoopKnowsAliasAndEdge(t *testing.T) {
	d := failing(t, codes.Unavailable, "x-alias", "unclaimed")
	_, retry := loop(t, background, dial(t, d.address), RetryOptions{Alias: "x-alias"})
	expect(t, "reason", retry.Reason(), ReasonUnclaimed)
	c := loopInC(t, dial(t, d.address), RetryOptions{FailOpen: true})
	ended := invoke(background, dial(t, c.address), "/C/Call")
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_COINCIDENTAL)
}

// --- streams -----------------------------------------------------------------------

func TestTheLoopOverStreams(t *testing.T) {
	for _, form := range []string{"client streaming", "server streaming", "bidirectional"} {
		for replies, expected := range map[int]Reason{0: ReasonAttempts, 1: ReasonCommitted} {
			if replies == 1 && !forms[form].ServerStreams {
				continue // the reply of a call that failed never gets to the application
			}
			t.Run(fmt.Sprint(form, replies), func(t *testing.T) {
				var served atomic.Int32
				d := serveForm(t, form, "D", replies, func(context.Context, func(metadata.MD)) error {
					served.Add(1)
					return status.Error(codes.Unavailable, "gone")
				})
				channel := client(t, d, ClientOptions{})
				c := callerOf(t, Server{}, func(ctx context.Context) error {
					retry := newRetry(t, ctx, RetryOptions{})
					for {
						_, ended := callForm(retry.Context(), channel, form, "/D/Call")
						if !retry.Again(ended.status.Err(), ended.trailer) {
							expect(t, "reason", retry.Reason(), expected)
							return ended.status.Err()
						}
					}
				})
				ended := invoke(background, dial(t, c.address), "/C/Call")
				expect(t, "served", served.Load(), map[int]int32{0: 3, 1: 1}[replies])
				expect(t, "claim", ended.values(claimKey), "unclaimed")
				expect(t, "attempts", ended.detail().GetAttempts(), uint32(served.Load()))
			})
		}
	}
}

func TestTheApplicationCommits(t *testing.T) {
	retry := newRetry(t, background, RetryOptions{})
	retry.Commit()
	_, again := retry.After(status.Error(codes.Unavailable, "gone"), nil)
	expect(t, "again", again, false)
	expect(t, "reason", retry.Reason(), ReasonCommitted)
}

func TestTheEndOfAStreamIsAGoodOne(t *testing.T) {
	retry := newRetry(t, background, RetryOptions{})
	expect(t, "again", retry.Again(io.EOF, nil), false)
	expect(t, "reason", retry.Reason(), ReasonOK)
}

// --- waits -------------------------------------------------------------------------

var gone = status.Error(codes.Unavailable, "gone")

func TestWaits(t *testing.T) {
	retry := newRetry(t, background, RetryOptions{MaxAttempts: 100, InitialBackoff: 100 * time.Millisecond,
		MaxBackoff: 300 * time.Millisecond, Multiplier: 2})
	for i, row := range []struct {
		pushback string
		expectMs float64
	}{{"", 100}, {"", 200}, {"", 300}, {"", 300}, {"40", 0}, {"", 100}, {"", 200}} {
		if row.pushback != "" {
			wait, again := retry.After(gone, metadata.Pairs(pushbackKey, row.pushback))
			expect(t, "pushback", fmt.Sprint(wait, again), row.pushback+"ms true")
			continue
		}
		wait, again := retry.After(gone, nil)
		ms := wait.Seconds() * 1000
		if !again || ms < 0.8*row.expectMs || ms > 1.2*row.expectMs {
			t.Errorf("%d: got %v, %v, expected about %v ms", i, wait, again, row.expectMs)
		}
	}
}

func TestAgainWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := time.Now()
		retry := newRetry(t, t.Context(), RetryOptions{})
		expect(t, "again", retry.Again(gone, metadata.Pairs(pushbackKey, "12345")), true)
		expect(t, "waited", time.Since(before), 12345*time.Millisecond)
	})
}

func TestCancelledWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stops []Reason
		ctx, cancel := context.WithCancel(t.Context())
		retry := newRetry(t, ctx, RetryOptions{InitialBackoff: never,
			OnStop: func(reason Reason) { stops = append(stops, reason) }})
		again := make(chan bool)
		go func() { again <- retry.Again(gone, nil) }()
		synctest.Wait()
		expect(t, "while it waits", retry.Reason(), ReasonRetry)
		cancel()
		expect(t, "again", <-again, false)
		expect(t, "stops", fmt.Sprint(stops), "[cancelled]")
	})
}

func TestADeadlineOfTheLoopsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		retry := newRetry(t, ctx, RetryOptions{})
		expect(t, "again", retry.Again(gone, metadata.Pairs(pushbackKey, "999")), true)
		expect(t, "again", retry.Again(gone, metadata.Pairs(pushbackKey, "1")), false)
		expect(t, "reason", retry.Reason(), ReasonDeadline)
	})
}

func TestCancelledBeforeItWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	retry := newRetry(t, ctx, RetryOptions{})
	cancel()
	expect(t, "again", retry.Again(gone, nil), false)
	expect(t, "reason", retry.Reason(), ReasonCancelled)
}

func TestTheInboundCallIsCancelled(t *testing.T) {
	served, reason := make(chan bool, 1), make(chan Reason, 1)
	d := calleeOf(t, func(context.Context, int) error {
		served <- true
		return gone
	})
	channel := client(t, d.address, ClientOptions{})
	c := callerOf(t, Server{}, func(ctx context.Context) error {
		ctx = withoutDeadline{ctx}
		ended, retry := loop(t, ctx, channel, RetryOptions{InitialBackoff: never})
		reason <- retry.Reason()
		return ended.status.Err()
	})
	ctx, cancel := context.WithCancel(background)
	go func() {
		<-served
		cancel()
	}()
	invoke(ctx, dial(t, c.address), "/C/Call")
	expect(t, "reason", <-reason, ReasonCancelled)
	expect(t, "served", d.served(), 1)
}

// The helpers' calls have a deadline, which would end the loop.
type withoutDeadline struct{ context.Context }

func (withoutDeadline) Deadline() (time.Time, bool) { return time.Time{}, false }

// --- misuse ------------------------------------------------------------------------

func TestALoopThatHasEnded(t *testing.T) {
	stops := 0
	retry := newRetry(t, background, RetryOptions{MaxAttempts: 2, OnStop: func(Reason) { stops++ }})
	retry.Again(nil, nil)
	for range 3 {
		wait, again := retry.After(gone, nil)
		expect(t, "after", fmt.Sprint(wait, again), "0s false")
		expect(t, "again", retry.Again(gone, nil), false)
		retry.Commit()
		retry.Context()
	}
	expect(t, "reason", retry.Reason(), ReasonOK)
	expect(t, "stops", stops, 1)
}

func TestBadRetryOptions(t *testing.T) {
	for _, row := range []struct {
		options RetryOptions
		expect  string
	}{
		{RetryOptions{MaxAttempts: -1}, "MaxAttempts: got -1, expected 1 to 100"},
		{RetryOptions{MaxAttempts: 101}, "MaxAttempts: got 101, expected 1 to 100"},
		{RetryOptions{MaxAttempts: math.MaxInt}, "MaxAttempts: got 9223372036854775807, expected 1 to 100"},
		{RetryOptions{InitialBackoff: -1}, "InitialBackoff: got -1ns, expected a time up to 24h"},
		{RetryOptions{MaxBackoff: -time.Second}, "MaxBackoff: got -1s, expected a time up to 24h"},
		{RetryOptions{MaxBackoff: never + 1}, "MaxBackoff: got 24h0m0.000000001s, expected a time up to 24h"},
		{RetryOptions{Multiplier: 0.5}, "Multiplier: got 0.5, expected a number from 1 to 1000"},
		{RetryOptions{Multiplier: math.NaN()}, "Multiplier: got NaN, expected a number from 1 to 1000"},
		{RetryOptions{Multiplier: math.Inf(1)}, "Multiplier: got +Inf, expected a number from 1 to 1000"},
		{RetryOptions{Mode: "on"}, `Mode: got "on", expected off, observe or enforce`},
		{RetryOptions{Codes: []codes.Code{codes.OK}}, "Codes: got OK, expected status codes other than OK"},
		{RetryOptions{Codes: []codes.Code{17}}, "Codes: got Code(17), expected status codes other than OK"},
	} {
		retry, err := NewRetry(background, row.options)
		if retry != nil || err == nil || err.Error() != "retry option "+row.expect {
			t.Errorf("got %v, expected %s", err, row.expect)
		}
	}
}

func TestRetryDefaults(t *testing.T) {
	options, err := RetryOptions{}.settled()
	got := fmt.Sprintln(options.MaxAttempts, options.Codes, options.InitialBackoff,
		options.MaxBackoff, options.Multiplier, options.Mode, err)
	expect(t, "defaults", got, "3 [Unavailable] 100ms 1s 2 enforce <nil>\n")
}

// The options are the loop's own once it runs.
func TestOptionsAreCopied(t *testing.T) {
	list := []codes.Code{codes.Unavailable}
	retry := newRetry(t, background, RetryOptions{Codes: list})
	list[0] = codes.Internal
	_, again := retry.After(gone, nil)
	expect(t, "again", again, true)
}

// --- at once -----------------------------------------------------------------------

func TestConcurrentLoopsKeepTheirOwnOutcomes(t *testing.T) {
	const calls = 60
	var arrived atomic.Int32
	all := make(chan struct{})
	channel := client(t, serve(t, map[string]handler{"/D/Call": func(_ context.Context, request *node.CallRequest) error {
		if arrived.Add(1) == calls {
			close(all)
		}
		<-all
		if request.Id%2 == 1 {
			return gone
		}
		return nil
	}}), ClientOptions{})
	server := Server{}
	c := dial(t, serve(t, map[string]handler{"/C/Call": func(ctx context.Context, request *node.CallRequest) error {
		retry := newRetry(t, ctx, RetryOptions{MaxAttempts: 4})
		for {
			ended := invokeWith(retry.Context(), channel, "/D/Call", request)
			if !retry.Again(ended.status.Err(), ended.trailer) {
				return status.Error(codes.Unavailable, string(retry.Reason()))
			}
		}
	}}, server.Options()...))
	ends := make(chan string, calls)
	for i := range calls {
		go func() {
			ended := invokeWith(background, c, "/C/Call", &node.CallRequest{Id: uint64(i)})
			ends <- fmt.Sprint(i%2, ended.status.Message(), ended.values(claimKey), ended.detail().GetAttempts())
		}()
	}
	expected := []string{fmt.Sprint(0, "ok", "claimed", 0), fmt.Sprint(1, "attempts", "unclaimed", 4)}
	for range calls {
		if got := <-ends; !slices.Contains(expected, got) {
			t.Error(got)
		}
	}
}
