// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"slices"

	"google.golang.org/grpc/codes"
)

type serviceConfig struct {
	MethodConfig []struct {
		Name        []struct{ Service, Method string }
		RetryPolicy *retryPolicy
	}
}

type retryPolicy struct {
	MaxAttempts          int
	RetryableStatusCodes []codes.Code
}

// The retry policy for a method, or nil: of several entries that fit, the one
// with the longest name counts.
func (c *serviceConfig) policyFor(path string) (policy *retryPolicy) {
	service, method := splitPath(path)
	best := -1
	for _, entry := range c.MethodConfig {
		for _, name := range entry.Name {
			rank := 0
			if name.Service != "" {
				rank++
			}
			if name.Method != "" {
				rank++
			}
			fits := (name.Service == "" || name.Service == service) &&
				(name.Method == "" || name.Method == method)
			if fits && rank > best {
				policy, best = entry.RetryPolicy, rank
			}
		}
	}
	return policy
}

// More attempts grpc-go does not make, whatever the service config says, unless
// WithMaxCallAttempts does.
const callAttemptsMax = 5

func (p *retryPolicy) hasLeft(attempts uint32) bool {
	return p != nil && int(attempts) < min(p.MaxAttempts, callAttemptsMax)
}

func (p *retryPolicy) covers(code codes.Code) bool {
	return p != nil && slices.Contains(p.RetryableStatusCodes, code)
}
