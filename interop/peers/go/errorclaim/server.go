// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"context"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// A Server says of each error whose it is. The zero value is of use; all is
// read only once it serves.
type Server struct {
	Service  string      // to own errors under, if not the method's service
	Alias    string      // a second key for the claim
	Observe  bool        // sends claims, but no pushback
	Boundary bool        // believes and sends nothing of the protocol
	OnSent   func(Claim) // told each claim that is sent
}

// Options are those of the grpc.Server. Interceptors that change errors go after
// them.
func (s *Server) Options() []grpc.ServerOption {
	return []grpc.ServerOption{grpc.ChainUnaryInterceptor(s.unary),
		grpc.ChainStreamInterceptor(s.stream)}
}

// At a boundary a mark does not reach the handler either, who may forward it to
// where marks are believed.
func (s *Server) arrive(ctx context.Context, path string) (context.Context, *inbound) {
	md, _ := metadata.FromIncomingContext(ctx) // a copy
	in := newInbound(path)
	in.marked = isMarked(md) && !s.Boundary
	removeClaim(md, s.Alias)
	if s.Boundary {
		md.Delete(markKey)
	}
	ctx = metadata.NewIncomingContext(ctx, md)
	return context.WithValue(ctx, inboundKey{}, in), in
}

// Makes of the handler's own trailing metadata what leaves. A pushback that came
// with a claim was copied along with it.
func (s *Server) answer(in *inbound, err error, trailer metadata.MD) metadata.MD {
	trailer = metadata.Join(trailer)
	if removeClaim(trailer, s.Alias) {
		removeStop(trailer)
	}
	code := codeOf(err)
	if code == codes.OK || s.Boundary {
		return trailer
	}
	claim, detail := in.decide(code, s.Service)
	trailer.Set(claimKey, string(claim))
	if s.Alias != "" {
		trailer.Set(s.Alias, string(claim))
	}
	if bytes, failed := proto.Marshal(detail); failed == nil {
		trailer.Set(detailKey, string(bytes))
	}
	if claim == Unclaimed && !s.Observe {
		trailer.Set(pushbackKey, "-1")
	}
	if s.OnSent != nil {
		s.OnSent(claim)
	}
	return trailer
}

// heldTrailer keeps back what a handler puts into its trailer.
type heldTrailer struct {
	grpc.ServerTransportStream
	mu sync.Mutex
	md metadata.MD
}

func (h *heldTrailer) SetTrailer(md metadata.MD) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.md = metadata.Join(h.md, md)
	return nil
}

func (h *heldTrailer) taken() metadata.MD {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.md
}

func hold(ctx context.Context) (context.Context, *heldTrailer) {
	held := &heldTrailer{ServerTransportStream: grpc.ServerTransportStreamFromContext(ctx)}
	return grpc.NewContextWithServerTransportStream(ctx, held), held
}

func (s *Server) unary(ctx context.Context, request any, info *grpc.UnaryServerInfo,
	handler grpc.UnaryHandler) (any, error) {
	ctx, in := s.arrive(ctx, info.FullMethod)
	ctx, held := hold(ctx)
	reply, err := handler(ctx, request)
	// It fails only where the call is gone already.
	_ = held.ServerTransportStream.SetTrailer(s.answer(in, err, held.taken()))
	return reply, err
}

type heldStream struct {
	grpc.ServerStream
	ctx  context.Context
	held *heldTrailer
}

func (h *heldStream) Context() context.Context       { return h.ctx }
func (h *heldStream) SetTrailer(trailer metadata.MD) { _ = h.held.SetTrailer(trailer) }

func (s *Server) stream(server any, stream grpc.ServerStream, info *grpc.StreamServerInfo,
	handler grpc.StreamHandler) error {
	ctx, in := s.arrive(stream.Context(), info.FullMethod)
	ctx, held := hold(ctx)
	err := handler(server, &heldStream{stream, ctx, held})
	stream.SetTrailer(s.answer(in, err, held.taken()))
	return err
}
