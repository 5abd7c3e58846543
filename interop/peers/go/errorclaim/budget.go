// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"fmt"
	"sync"
	"time"
)

const (
	budgetSeconds = 10 // that the window spans
	rateMax       = 1e6
)

// A Budget bounds the retries of all loops that share it: over the last 10
// seconds they may make up a percentage of the first calls, and so many a second
// come on top, for low traffic. It is safe for concurrent use.
type Budget struct {
	percent, perSecond float64
	now                func() time.Time
	mu                 sync.Mutex
	seconds            [budgetSeconds]budgetSecond
}

type budgetSecond struct {
	at              int64
	firsts, retries float64
}

// NewBudget takes a percentage (0 to 100) and retries a second (0 to a million).
func NewBudget(percent, perSecond float64) (*Budget, error) {
	if !(percent >= 0 && percent <= 100) {
		return nil, fmt.Errorf("budget: percent: got %v, expected 0 to 100", percent)
	}
	if !(perSecond >= 0 && perSecond <= rateMax) {
		return nil, fmt.Errorf("budget: per second: got %v, expected 0 to 1000000", perSecond)
	}
	return &Budget{percent: percent, perSecond: perSecond, now: time.Now}, nil
}

// Where this second counts; its place in the ring may hold one that is over.
func (b *Budget) current() *budgetSecond {
	at := b.now().Unix()
	second := &b.seconds[at%budgetSeconds]
	if second.at != at {
		*second = budgetSecond{at: at}
	}
	return second
}

func (b *Budget) deposit() {
	if b != nil {
		b.mu.Lock()
		b.current().firsts++
		b.mu.Unlock()
	}
}

// Whether a retry is within the budget; takes nothing. No budget is never empty.
func (b *Budget) isEmpty() bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	oldest := b.current().at - budgetSeconds + 1
	left := b.perSecond * budgetSeconds
	for _, second := range b.seconds {
		if second.at >= oldest {
			left += second.firsts*b.percent/100 - second.retries
		}
	}
	return left < 1
}

func (b *Budget) withdraw() {
	if b != nil {
		b.mu.Lock()
		b.current().retries++
		b.mu.Unlock()
	}
}
