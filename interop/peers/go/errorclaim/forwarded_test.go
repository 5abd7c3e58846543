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

// What applications copy from a callee, and forward to one.

func TestCopiedTrailersLeaveAsTheOwnWord(t *testing.T) {
	var stopped int32
	detail := "\n\x0ashop.Stock\x12\x03Get\x18\x03"
	d := failing(t, codes.Unavailable, claimKey, "unclaimed", detailKey, detail,
		pushbackKey, "-1", "x-own", "kept")
	c := passing(t, d, ClientOptions{Config: two,
		OnStopped: func() { atomic.AddInt32(&stopped, 1) }}, Server{})
	ended := invoke(background, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
	expect(t, "C served", c.served.Load(), int32(1))
	expect(t, "D served", d.served(), 1)
	expect(t, "stopped", stopped, int32(1))
	expect(t, "claim", ended.values(claimKey), "unclaimed")
	expect(t, "pushback", ended.values(pushbackKey), "-1")
	expect(t, "x-own", ended.values("x-own"), "kept")
	expect(t, "detail", ended.detail().String(), (&pb.ErrorClaim{OwnerService: "shop.Stock",
		OwnerMethod: "Get", Hops: 4, Attempts: 1, Reason: pb.ErrorClaim_PROPAGATED}).String())
}

func TestCopiedClaimsAreNotSent(t *testing.T) {
	copied := metadata.Pairs(claimKey, "unclaimed", detailKey, "x")
	server := Server{}
	address := serve(t, map[string]handler{
		"/C/Fail": func(ctx context.Context, _ *node.CallRequest) error {
			grpc.SetTrailer(ctx, copied)
			return status.Error(codes.Unavailable, "own")
		},
		"/C/Serve": func(ctx context.Context, _ *node.CallRequest) error {
			return grpc.SetTrailer(ctx, copied)
		},
	}, server.Options()...)
	channel := dial(t, address)
	failed := invoke(background, channel, "/C/Fail")
	expect(t, "claim", failed.values(claimKey), "claimed")
	expect(t, "owner", failed.detail().OwnerService, "C")
	good := invoke(background, channel, "/C/Serve")
	expect(t, "code", good.status.Code(), codes.OK)
	expect(t, "claim with OK", good.values(claimKey), "")
	expect(t, "detail with OK", good.values(detailKey), "")
}

func TestClaimKeysOfARequestAreRemoved(t *testing.T) {
	seen := make(chan metadata.MD, 1)
	server := Server{}
	address := serve(t, map[string]handler{"/C/Call": func(ctx context.Context, _ *node.CallRequest) error {
		md, _ := metadata.FromIncomingContext(ctx)
		seen <- md
		return nil
	}}, server.Options()...)
	invoke(metadata.AppendToOutgoingContext(background, claimKey, "unclaimed", detailKey, "x",
		"x-own", "kept"), dial(t, address), "/C/Call")
	md := <-seen
	expect(t, "claims", len(md.Get(claimKey))+len(md.Get(detailKey)), 0)
	expect(t, "x-own", strings.Join(md.Get("x-own"), "|"), "kept")
}

// With keys of a claim it is the callee's pushback, without them the handler's own.
func TestACopiedPushbackDoesNotLeaveWithAClaimedError(t *testing.T) {
	for name, row := range map[string]struct {
		trailer []string
		expect  string
	}{
		"with a claim":           {[]string{claimKey, "unclaimed", pushbackKey, "-1"}, ""},
		"with a claim, unknown":  {[]string{claimKey, "shared", pushbackKey, "-1"}, ""},
		"with a detail":          {[]string{detailKey, "x", pushbackKey, "-7"}, ""},
		"a wait beside it":       {[]string{claimKey, "claimed", pushbackKey, "5", pushbackKey, "-1"}, "5"},
		"a wait with a claim":    {[]string{claimKey, "claimed", pushbackKey, "5"}, "5"},
		"the handler's own word": {[]string{pushbackKey, "-1"}, "-1"},
	} {
		for _, server := range []Server{{}, {Observe: true}, {Boundary: true}} {
			c := callerOf(t, server, func(ctx context.Context) error {
				grpc.SetTrailer(ctx, metadata.Pairs(row.trailer...))
				return status.Error(codes.Unavailable, "own")
			})
			ended := invoke(background, dial(t, c.address), "/C/Call")
			expect(t, name, ended.values(pushbackKey), row.expect)
			expect(t, name, ended.values(claimKey), map[bool]string{false: "claimed"}[server.Boundary])
		}
	}
}

// A gateway forwards all of its caller's metadata, as some do.
func gateway(t *testing.T, d *callee, options ClientOptions, server Server) *caller {
	channel := client(t, d.address, options)
	return callerOf(t, server, func(ctx context.Context) error {
		md, _ := metadata.FromIncomingContext(ctx)
		return passOn(metadata.NewOutgoingContext(ctx, md.Copy()), channel, "/D/Call")
	})
}

func TestForwardedAttemptsAreNotTheOwn(t *testing.T) {
	d := calleeOf(t, func(_ context.Context, n int) error {
		if n == 1 {
			return status.Error(codes.Aborted, "once")
		}
		return nil
	})
	c := gateway(t, d, ClientOptions{}, Server{})
	sent := metadata.AppendToOutgoingContext(background, previousKey, "1")
	ended := invoke(sent, dial(t, c.address), "/C/Call")
	expect(t, "claim", ended.values(claimKey), "claimed")
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_AT_LEAST_ONCE)
	expect(t, "attempts", ended.detail().Attempts, uint32(1))

	d = failingFirst(t, 1, codes.Aborted)
	c = gateway(t, d, ClientOptions{}, Server{})
	ended = invoke(sent, stock(t, c.address, "2", "ABORTED"), "/C/Call")
	expect(t, "after the caller's retry", ended.status.Code(), codes.OK)
	expect(t, "C served", c.served.Load(), int32(2))
}

func TestOneMarkIsOnTheWire(t *testing.T) {
	for name, row := range map[string]struct {
		sent   []string
		expect string
	}{
		"handed on":           {[]string{markKey, "1"}, "1"},
		"gRPC's own":          {[]string{previousKey, "1"}, "1"},
		"gRPC's own, twice":   {[]string{previousKey, "1", previousKey, "2"}, "1"},
		"gRPC's own of none":  {[]string{previousKey, "0"}, ""},
		"it comes twice":      {[]string{markKey, "1", markKey, "1"}, "1"},
		"with another value":  {[]string{markKey, "2", markKey, "1"}, "1"},
		"another value":       {[]string{markKey, "yes"}, ""},
		"another value twice": {[]string{markKey, "yes", markKey, "no"}, ""},
		"none":                {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			sent := metadata.AppendToOutgoingContext(background, row.sent...)
			d := failing(t, codes.Unavailable)
			for _, c := range []*caller{passing(t, d, ClientOptions{}, Server{}),
				gateway(t, d, ClientOptions{}, Server{})} {
				invoke(sent, dial(t, c.address), "/C/Call")
			}
			expect(t, "marks", d.allMarks(), row.expect+","+row.expect)
		})
	}
}

func TestForwardedMarksWithoutAnInboundCall(t *testing.T) {
	d := failing(t, codes.Unavailable)
	twice := metadata.AppendToOutgoingContext(background, markKey, "1", markKey, "1")
	invoke(twice, client(t, d.address, ClientOptions{}), "/D/Call")
	expect(t, "marks", d.allMarks(), "1")
}

func TestTrustBoundaryOfAServer(t *testing.T) {
	d := failing(t, codes.Unavailable, claimKey, "unclaimed", pushbackKey, "-1")
	for _, make := range []func(*testing.T, *callee, ClientOptions, Server) *caller{passing, gateway} {
		c := make(t, d, ClientOptions{}, Server{Boundary: true, Alias: "x-alias"})
		marked := metadata.AppendToOutgoingContext(background, markKey, "1", "x-alias", "claimed")
		ended := invoke(marked, stock(t, c.address, "4", "UNAVAILABLE"), "/C/Call")
		expect(t, "C served", c.served.Load(), int32(4))
		for _, key := range []string{claimKey, detailKey, pushbackKey, "x-alias"} {
			expect(t, key, ended.values(key), "")
		}
	}
	expect(t, "marks", d.allMarks(), ",,,,,,,")
}

func TestTrustBoundaryOfAClient(t *testing.T) {
	seen := make(chan metadata.MD, 2)
	d := calleeOf(t, func(ctx context.Context, _ int) error {
		md, _ := metadata.FromIncomingContext(ctx)
		seen <- md
		grpc.SetTrailer(ctx, metadata.Pairs(claimKey, "unclaimed"))
		return status.Error(codes.Unavailable, "gone")
	})
	options := ClientOptions{Boundary: true, Alias: "x-alias"}
	c := passing(t, d, options, Server{})
	sent := metadata.AppendToOutgoingContext(background, markKey, "1", claimKey, "claimed",
		detailKey, "x", "x-alias", "claimed", "x-own", "kept")
	ended := invoke(sent, dial(t, c.address), "/C/Call")
	expect(t, "reason", ended.detail().Reason, pb.ErrorClaim_AT_LEAST_ONCE)
	invoke(sent, client(t, d.address, options), "/D/Call")
	for _, own := range []string{"", "kept"} { // that C does not forward
		md := <-seen
		for _, key := range []string{markKey, claimKey, detailKey, "x-alias"} {
			expect(t, key, len(md.Get(key)), 0)
		}
		expect(t, "x-own", strings.Join(md.Get("x-own"), "|"), own)
	}
}
