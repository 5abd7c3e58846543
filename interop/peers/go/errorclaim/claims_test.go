// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	node "eown/generated/interop/v1"
	pb "eown/generated/v1"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

var (
	background = context.Background()
	two        = configOf("2", "UNAVAILABLE")
)

func TestClaimedIsRetriedInFull(t *testing.T) {
	var served int32
	server := Server{Service: "shop.Stock"}
	address := serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		atomic.AddInt32(&served, 1)
		grpc.SetTrailer(ctx, metadata.Pairs("x-own", "a", "x-own", "b"))
		return status.Error(codes.Unavailable, "out: “of” %stock")
	}}, server.Options()...)
	ended := invoke(background, stock(t, address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "served", atomic.LoadInt32(&served), int32(4))
	expect(t, "code", ended.status.Code(), codes.Unavailable)
	expect(t, "message", ended.status.Message(), "out: “of” %stock")
	expect(t, "x-own", ended.values("x-own"), "a|b")
	expect(t, "claim", ended.values(claimKey), "claimed")
	expect(t, "pushback", ended.values(pushbackKey), "")
	expect(t, "detail", ended.detail().String(), (&pb.ErrorClaim{OwnerService: "shop.Stock",
		OwnerMethod: "Call", Reason: pb.ErrorClaim_OWN}).String())
}

func TestUnclaimedIsNotRetriedByAStockClient(t *testing.T) {
	d := failing(t, codes.Unavailable)
	c := passing(t, d, ClientOptions{Config: two}, Server{})
	ended := invoke(background, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "C served", c.served.Load(), int32(1))
	expect(t, "D served", d.served(), 2)
	expect(t, "code", ended.status.Code(), codes.Unavailable)
	expect(t, "message", ended.status.Message(), "gone")
	expect(t, "claim", ended.values(claimKey), "unclaimed")
	expect(t, "pushback", ended.values(pushbackKey), "-1")
	expect(t, "detail", ended.detail().String(), (&pb.ErrorClaim{OwnerService: "D",
		OwnerMethod: "Call", Hops: 1, Attempts: 2, Reason: pb.ErrorClaim_PROPAGATED}).String())
}

func TestWithoutAPolicyForTheStatusSomebodyHasToRetry(t *testing.T) {
	d := failing(t, codes.Internal)
	c := passing(t, d, ClientOptions{Config: two}, Server{})
	ended := invoke(background, stock(t, c.address, "3", "INTERNAL"), "/C/Call")
	expect(t, "C served", c.served.Load(), int32(3))
	expect(t, "claim", ended.values(claimKey), "claimed")
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_AT_LEAST_ONCE)
	expect(t, "attempts", ended.detail().Attempts, uint32(1))
}

func TestARetryThatEndsWithAnotherStatusIsARetry(t *testing.T) {
	d := calleeOf(t, func(_ context.Context, n int) error {
		if n == 1 {
			return status.Error(codes.Unavailable, "first")
		}
		return status.Error(codes.Internal, "second")
	})
	c := passing(t, d, ClientOptions{Config: two}, Server{})
	ended := invoke(background, dial(t, c.address), "/C/Call")
	expect(t, "code", ended.status.Code(), codes.Internal)
	expect(t, "claim", ended.values(claimKey), "unclaimed")
	expect(t, "attempts", ended.detail().Attempts, uint32(2))
}

func TestAnOwnPushbackOnAClaimedErrorStays(t *testing.T) {
	var served int32
	server := Server{}
	address := serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		atomic.AddInt32(&served, 1)
		grpc.SetTrailer(ctx, metadata.Pairs(pushbackKey, "3"))
		return status.Error(codes.Unavailable, "later")
	}}, server.Options()...)
	ended := invoke(background, stock(t, address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "served", served, int32(4))
	expect(t, "pushback", ended.values(pushbackKey), "3")
}

func TestWhatIsNotBelievedIsNoError(t *testing.T) {
	for name, trailer := range map[string][]string{
		"a future word":   {claimKey, "shared"},
		"an empty word":   {claimKey, ""},
		"a repeated word": {claimKey, "unclaimed", claimKey, "unclaimed"},
		"a contradiction": {claimKey, "claimed", claimKey, "unclaimed"},
		"a long word":     {claimKey, strings.Repeat("unclaimed", 100)},
		"a bad detail":    {claimKey, "claimed", detailKey, "\x08"},
		"a long detail":   {claimKey, "claimed", detailKey, strings.Repeat("a", 300)},
	} {
		t.Run(name, func(t *testing.T) {
			c := passing(t, failing(t, codes.Unavailable, trailer...), ClientOptions{}, Server{})
			ended := invoke(background, dial(t, c.address), "/C/Call")
			expect(t, "code", ended.status.Code(), codes.Unavailable)
			expect(t, "claim", ended.values(claimKey), "claimed")
			expect(t, "detail", ended.detail().String(), (&pb.ErrorClaim{OwnerService: "C",
				OwnerMethod: "Call", Attempts: 1, Reason: pb.ErrorClaim_AT_LEAST_ONCE}).String())
		})
	}
}

func TestAnAliasIsReadAndWritten(t *testing.T) {
	const alias = "x-mesh-claim"
	d := failing(t, codes.Unavailable, alias, "unclaimed")
	c := passing(t, d, ClientOptions{Alias: alias}, Server{Alias: alias})
	ended := invoke(background, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "C served", c.served.Load(), int32(1))
	expect(t, "alias", ended.values(alias), "unclaimed")
	expect(t, "claim", ended.values(claimKey), "unclaimed")
}

func TestTheFailureOfAFailOpenCalleeIsNoExcuse(t *testing.T) {
	d := failing(t, codes.Unavailable)
	c := passing(t, d, ClientOptions{Config: two, FailOpen: true}, Server{})
	ended := invoke(background, dial(t, c.address), "/C/Call")
	expect(t, "claim", ended.values(claimKey), "claimed")
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_COINCIDENTAL)
}

func TestACalleeThatIsNotThereIsPassedOn(t *testing.T) {
	d := &callee{address: "unix:" + t.TempDir() + "/nobody"}
	c := passing(t, d, ClientOptions{Config: two}, Server{})
	ended := invoke(background, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "code", ended.status.Code(), codes.Unavailable)
	expect(t, "C served", c.served.Load(), int32(1))
	expect(t, "claim", ended.values(claimKey), "unclaimed")
}

func TestObserveStopsNothing(t *testing.T) {
	d := failing(t, codes.Unavailable)
	c := passing(t, d, ClientOptions{Config: two}, Server{Observe: true})
	ended := invoke(background, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "C served", c.served.Load(), int32(4))
	expect(t, "D served", d.served(), 8)
	expect(t, "claim", ended.values(claimKey), "unclaimed")
	expect(t, "pushback", ended.values(pushbackKey), "")
}

func TestCallingAgainIsTheRetry(t *testing.T) {
	d := failing(t, codes.Unavailable)
	channel := client(t, d.address, ClientOptions{})
	server := Server{}
	address := serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		invoke(ctx, channel, "/D/Call")
		return passOn(ctx, channel, "/D/Call")
	}}, server.Options()...)
	ended := invoke(background, dial(t, address), "/C/Call")
	expect(t, "marks", d.allMarks(), ",1")
	expect(t, "claim", ended.values(claimKey), "unclaimed")
}

func TestASuccessClearsTheFailureBeforeIt(t *testing.T) {
	channel := client(t, failingFirst(t, 1, codes.Unavailable).address, ClientOptions{})
	server := Server{}
	address := serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		invoke(ctx, channel, "/D/Call")
		invoke(ctx, channel, "/D/Call")
		return status.Error(codes.Unavailable, "own")
	}}, server.Options()...)
	ended := invoke(background, dial(t, address), "/C/Call")
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_OWN)
}

func TestTheApplicationChooses(t *testing.T) {
	channel := client(t, failing(t, codes.Unavailable).address, ClientOptions{})
	after := func(act func(context.Context)) handler {
		return func(ctx context.Context, _ *node.CallRequest) error {
			ended := invoke(ctx, channel, "/D/Call")
			act(ctx)
			return ended.status.Err()
		}
	}
	server := Server{}
	address := serve(t, map[string]handler{
		"/C/Choose":  after(func(ctx context.Context) { ChooseClaim(ctx, Unclaimed) }),
		"/C/Retried": after(SetRetried),
	}, server.Options()...)
	for path, reason := range map[string]pb.ErrorClaim_Reason{
		"/C/Choose": pb.ErrorClaim_APPLICATION, "/C/Retried": pb.ErrorClaim_PROPAGATED} {
		ended := invoke(background, dial(t, address), path)
		expect(t, path, ended.values(claimKey), "unclaimed")
		expect(t, path, ended.detail().Reason, reason)
	}
}

func TestABadConfigIsNamed(t *testing.T) {
	_, err := NewClient(ClientOptions{Config: "{"})
	if err == nil || !strings.Contains(err.Error(), `"{"`) {
		t.Errorf("got %v, expected an error with the config", err)
	}
}
