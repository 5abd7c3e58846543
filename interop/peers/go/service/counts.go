// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"strings"
	"sync"

	"eown/peer/errorclaim"

	"google.golang.org/grpc/metadata"
)

type calleeCounts struct {
	Name      string `json:"name"`
	Calls     uint64 `json:"calls"`
	Errors    uint64 `json:"errors"`
	Claimed   uint64 `json:"claimed"`
	Unclaimed uint64 `json:"unclaimed"`
	Missing   uint64 `json:"missing"`
	Other     uint64 `json:"other"`
}

type figures struct {
	Event          string `json:"event"`
	Name           string `json:"name"`
	Served         uint64 `json:"served"`
	Errors         uint64 `json:"errors"`
	OwnFailures    uint64 `json:"own_failures"`
	Made           uint64 `json:"made"`
	RetriesStopped struct {
		Unclaimed  uint64 `json:"unclaimed"`
		Budget     uint64 `json:"budget"`
		Chain      uint64 `json:"chain"`
		Multiplied uint64 `json:"multiplied"`
	} `json:"retries_stopped"`
	ClaimsSent struct {
		Claimed   uint64 `json:"claimed"`
		Unclaimed uint64 `json:"unclaimed"`
	} `json:"claims_sent"`
	Callees []calleeCounts `json:"callees"`
}

// The counts of one node, in the shape in which it prints them.
type counts struct {
	mu sync.Mutex
	figures
}

func newCounts(o *options) *counts {
	c := &counts{}
	c.Name = o.name
	c.Callees = make([]calleeCounts, len(o.callees))
	for i, callee := range o.callees {
		c.Callees[i].Name = callee.name
	}
	return c
}

func (c *counts) add(counter *uint64) {
	c.mu.Lock()
	*counter++
	c.mu.Unlock()
}

func (c *counts) sent(claim errorclaim.Claim) {
	if claim == errorclaim.Unclaimed {
		c.add(&c.ClaimsSent.Unclaimed)
	} else {
		c.add(&c.ClaimsSent.Claimed)
	}
}

// Why a retry was not made, by the retry policy or by a loop.
func (c *counts) stopped(reason errorclaim.Reason) {
	switch reason {
	case errorclaim.ReasonUnclaimed:
		c.add(&c.RetriesStopped.Unclaimed)
	case errorclaim.ReasonBudget:
		c.add(&c.RetriesStopped.Budget)
	case errorclaim.ReasonChain:
		c.add(&c.RetriesStopped.Chain)
	case errorclaim.ReasonMultiplied:
		c.add(&c.RetriesStopped.Multiplied)
	}
}

// What the application sees of the claim in the trailing metadata.
func (c *counts) failed(callee int, trailer metadata.MD) {
	counter := &c.Callees[callee]
	c.add(&counter.Errors)
	switch values := trailer.Get("error-claim"); {
	case len(values) == 0:
		c.add(&counter.Missing)
	case strings.Join(values, ",") == "claimed":
		c.add(&counter.Claimed)
	case strings.Join(values, ",") == "unclaimed":
		c.add(&counter.Unclaimed)
	default:
		c.add(&counter.Other)
	}
}

func (c *counts) reset() {
	callees := c.Callees
	c.figures = figures{Name: c.Name, Callees: make([]calleeCounts, len(callees))}
	for i := range callees {
		c.Callees[i].Name = callees[i].Name
	}
}

func (c *counts) json(event string, reset bool) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Event = event
	text, _ := json.Marshal(c.figures) // numbers and names always go
	if reset {
		c.reset()
	}
	return string(text)
}
