// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"math"
	"testing"
	"time"
)

func TestVectorsLoop(t *testing.T) {
	each(t, "loop", func(t *testing.T, text []byte) {
		var row struct {
			Status             string
			Claim              Claim
			Committed, Chained bool
			CallsLeft          bool `json:"calls_left"`
			TimeLeft           bool `json:"time_left"`
			BudgetEmpty        bool `json:"budget_empty"`
			AttemptsLeft       bool `json:"attempts_left"`
			Pushback           string
			Expect             Reason
		}
		take(t, text, &row)
		state := turn{ok: row.Status == "ok", cancelled: row.Status == "cancelled",
			listed: row.Status == "listed", committed: row.Committed, callsLeft: row.CallsLeft,
			timeLeft: row.TimeLeft, claim: row.Claim, budgetEmpty: row.BudgetEmpty,
			chained: row.Chained, attemptsLeft: row.AttemptsLeft, refused: row.Pushback == "stop"}
		same(t, text, state.reason(true), row.Expect)
		expectUnowned(t, text, state, row.Expect)
	})
}

// Without ownership its reasons are passed over, and no others.
func expectUnowned(t *testing.T, text []byte, state turn, owned Reason) {
	t.Helper()
	switch owned {
	case ReasonUnclaimed, ReasonBudget, ReasonChain, ReasonMultiplied:
		owned = ReasonRetry
		if state.refused {
			owned = ReasonPushback
		}
	}
	same(t, text, state.reason(false), owned)
}

func TestVectorsBackoff(t *testing.T) {
	each(t, "backoff", func(t *testing.T, text []byte) {
		var row struct {
			InitialMs          float64 `json:"initial_ms"`
			MaxMs              float64 `json:"max_ms"`
			Multiplier, Random float64
			Retry              int
			ExpectMs           float64 `json:"expect_ms"`
		}
		take(t, text, &row)
		got := backoffMs(row.InitialMs, row.MaxMs, row.Multiplier, row.Retry, row.Random)
		if math.Abs(got-row.ExpectMs) > 1e-6 {
			t.Errorf("%s: got %v", text, got)
		}
	})
}

func TestVectorsMarks(t *testing.T) {
	each(t, "marks", func(t *testing.T, text []byte) {
		var row struct {
			Values []string
			Expect bool
		}
		take(t, text, &row)
		same(t, text, hasMark(row.Values), row.Expect)
	})
}

func TestPushback(t *testing.T) {
	for _, row := range []struct {
		values []string
		kind   pushbackKind
		wait   time.Duration
	}{
		{nil, pushbackNone, 0},
		{[]string{"0"}, pushbackWait, 0},
		{[]string{"40"}, pushbackWait, 40 * time.Millisecond},
		{[]string{"9223372036854775807"}, pushbackWait, 9223372036854 * time.Millisecond},
		{[]string{"9223372036854775808"}, pushbackStop, 0},
		{[]string{"-1"}, pushbackStop, 0},
		{[]string{"soon"}, pushbackStop, 0},
		{[]string{""}, pushbackStop, 0},
		{[]string{"5", "5"}, pushbackStop, 0},
	} {
		if kind, wait := readPushback(row.values); kind != row.kind || wait != row.wait {
			t.Errorf("%q: got %v, %v", row.values, kind, wait)
		}
	}
}

func TestBudget(t *testing.T) {
	budget, err := NewBudget(20, 0)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1000, 0)
	budget.now = func() time.Time { return now }
	expect(t, "at first", budget.isEmpty(), true)
	for range 10 {
		budget.deposit()
	}
	for retries := range 2 { // 20 % of 10
		expect(t, "retries taken", [2]any{retries, budget.isEmpty()}, [2]any{retries, false})
		budget.withdraw()
	}
	expect(t, "after both", budget.isEmpty(), true)
	now = now.Add(9 * time.Second)
	for range 5 {
		budget.deposit()
	}
	expect(t, "9 s later, with 5 more", budget.isEmpty(), false)
	now = now.Add(10 * time.Second)
	expect(t, "after the window", budget.isEmpty(), true)

	floor, _ := NewBudget(0, 0.2) // 2 in 10 s
	floor.now = budget.now
	floor.withdraw()
	expect(t, "floor, one taken", floor.isEmpty(), false)
	floor.withdraw()
	expect(t, "floor, two taken", floor.isEmpty(), true)
}

func TestBadBudgets(t *testing.T) {
	for _, row := range []struct {
		percent, perSecond float64
		expect             string
	}{
		{-1, 0, "budget: percent: got -1, expected 0 to 100"},
		{math.NaN(), 0, "budget: percent: got NaN, expected 0 to 100"},
		{101, 0, "budget: percent: got 101, expected 0 to 100"},
		{0, -0.5, "budget: per second: got -0.5, expected 0 to 1000000"},
		{0, math.Inf(1), "budget: per second: got +Inf, expected 0 to 1000000"},
	} {
		if _, err := NewBudget(row.percent, row.perSecond); err == nil || err.Error() != row.expect {
			t.Errorf("got %v, expected %s", err, row.expect)
		}
	}
}
