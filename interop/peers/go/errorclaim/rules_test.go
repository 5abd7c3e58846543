// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package errorclaim

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	pb "eown/generated/v1"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

type vectorDetail struct {
	OwnerService string `json:"owner_service"`
	OwnerMethod  string `json:"owner_method"`
	Hops         uint32
	Attempts     uint32
	Reason       string
}

func (v *vectorDetail) detail() *pb.ErrorClaim {
	if v == nil {
		return nil
	}
	reason := pb.ErrorClaim_Reason_value[strings.ToUpper(v.Reason)]
	return &pb.ErrorClaim{OwnerService: v.OwnerService, OwnerMethod: v.OwnerMethod,
		Hops: v.Hops, Attempts: v.Attempts, Reason: pb.ErrorClaim_Reason(reason)}
}

// Runs `check` for each row of a section; there must be some.
func each(t *testing.T, section string, check func(t *testing.T, row []byte)) {
	text, err := os.ReadFile("../../../../protos/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors map[string]json.RawMessage
	var rows []json.RawMessage
	take(t, text, &vectors)
	take(t, vectors[section], &rows)
	if len(rows) == 0 {
		t.Fatalf("no rows in %s", section)
	}
	for _, row := range rows {
		check(t, row)
	}
}

func take(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func same(t *testing.T, row []byte, got, expect any) {
	t.Helper()
	if got != expect {
		t.Errorf("%s: got %v, expected %v", row, got, expect)
	}
}

func TestVectorsAreAllRun(t *testing.T) {
	text, _ := os.ReadFile("../../../../protos/vectors.json")
	var vectors map[string]json.RawMessage
	take(t, text, &vectors)
	for _, section := range []string{"version", "retry", "criteria", "claims", "values",
		"details", "passed_on", "loop", "backoff", "marks"} {
		if vectors[section] == nil {
			t.Errorf("no section %s", section)
		}
		delete(vectors, section)
	}
	for section := range vectors {
		t.Errorf("section %s is not run", section)
	}
}

func TestVectorsRetry(t *testing.T) {
	each(t, "retry", func(t *testing.T, text []byte) {
		var row struct {
			Error, Chained bool
			BudgetEmpty    bool `json:"budget_empty"`
			Claim          Claim
			Expect         string
		}
		take(t, text, &row)
		same(t, text, retryVerdict(row.Error, row.Claim, row.BudgetEmpty, row.Chained), row.Expect)
	})
}

func TestVectorsCriteria(t *testing.T) {
	each(t, "criteria", func(t *testing.T, text []byte) {
		var row struct {
			Claim                        Claim
			Retried, Application, Expect bool
			Policy                       string
		}
		take(t, text, &row)
		got := criteriaSatisfied(row.Claim, row.Retried, row.Policy == "covers", row.Application)
		same(t, text, got, row.Expect)
	})
}

func TestVectorsClaims(t *testing.T) {
	each(t, "claims", func(t *testing.T, text []byte) {
		var row struct {
			Outbounds []struct {
				Callee, Edge string
				Criteria     bool
			}
			Expect struct {
				Claim  Claim
				Reason string
			}
		}
		take(t, text, &row)
		reason := pb.ErrorClaim_OWN
		for _, one := range row.Outbounds {
			next := reasonOf(one.Callee != "ok", one.Edge == "fail_open", one.Criteria)
			if next > reason {
				reason = next
			}
		}
		same(t, text, strings.ToLower(reason.String()), row.Expect.Reason)
		same(t, text, claimOf(reason), row.Expect.Claim)
	})
}

func TestVectorsValues(t *testing.T) {
	each(t, "values", func(t *testing.T, text []byte) {
		var row struct {
			Values      []string
			AliasValues []string `json:"alias_values"`
			Expect      Claim
		}
		take(t, text, &row)
		same(t, text, readClaim(row.Values, row.AliasValues), row.Expect)
	})
}

func sameDetail(t *testing.T, row []byte, got, expect *pb.ErrorClaim) {
	t.Helper()
	if (got == nil) != (expect == nil) || !proto.Equal(got, expect) {
		t.Errorf("%s: got %v, expected %v", row, got, expect)
	}
}

func TestVectorsDetails(t *testing.T) {
	each(t, "details", func(t *testing.T, text []byte) {
		var row struct {
			Bytes  string
			Expect *vectorDetail
		}
		take(t, text, &row)
		bytes, err := base64.StdEncoding.DecodeString(row.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		got := readDetail(string(bytes))
		if got != nil {
			got.ProtoReflect().SetUnknown(nil)
		}
		sameDetail(t, text, got, row.Expect.detail())
	})
}

func TestVectorsPassedOn(t *testing.T) {
	each(t, "passed_on", func(t *testing.T, text []byte) {
		var row struct {
			Received *vectorDetail
			Path     string
			Attempts uint32
			Expect   *vectorDetail
		}
		take(t, text, &row)
		in := newInbound("/a/b")
		in.record(outbound{path: row.Path, code: codes.Unavailable, claim: Unclaimed,
			detail: row.Received.detail(), attempts: row.Attempts})
		_, got := in.decide(codes.Unavailable, "")
		sameDetail(t, text, got, row.Expect.detail())
	})
}

func TestDetailFits(t *testing.T) {
	long := &pb.ErrorClaim{OwnerService: strings.Repeat("é", 300),
		OwnerMethod: strings.Repeat("x", 300), Hops: math.MaxUint32}
	detail := passedOn(long, "/a/b")
	detail.Attempts, detail.Reason = math.MaxUint32, pb.ErrorClaim_PROPAGATED
	bytes, err := proto.Marshal(detail)
	if err != nil || len(bytes) > detailMax {
		t.Fatalf("%d bytes, %v", len(bytes), err)
	}
	sameDetail(t, bytes, readDetail(string(bytes)), detail)
	if detail.OwnerService != strings.Repeat("?", nameMax) || detail.Hops != math.MaxUint32 {
		t.Errorf("got %v", detail)
	}
}

func TestPolicyOfTheLongestName(t *testing.T) {
	var config serviceConfig
	take(t, []byte(`{"methodConfig": [
	  {"name": [{"service": "a.S", "method": "M"}], "retryPolicy": {"maxAttempts": 4}},
	  {"name": [{}, {"service": "b.S", "method": "M"}], "retryPolicy": {
	    "maxAttempts": 2, "retryableStatusCodes": ["UNAVAILABLE", 10]}},
	  {"name": [{"service": "a.S"}], "retryPolicy": {"maxAttempts": 3}},
	  {"name": [{"service": "c.S"}]}]}`), &config)
	for path, attempts := range map[string]int{"/a.S/M": 4, "/a.S/N": 3, "/b.S/M": 2, "/x/M": 2} {
		if got := config.policyFor(path); got == nil || got.MaxAttempts != attempts {
			t.Errorf("%s: got %v, expected %d attempts", path, got, attempts)
		}
	}
	if got := config.policyFor("/c.S/M"); got != nil || got.covers(codes.Unavailable) {
		t.Errorf("/c.S/M: got %v, expected none", got)
	}
	policy := config.policyFor("/x/M")
	if !policy.covers(codes.Unavailable) || !policy.covers(codes.Aborted) ||
		policy.covers(codes.Internal) {
		t.Errorf("covers the wrong ones: %v", policy)
	}
}

type ended struct {
	path    string
	started int
	code    codes.Code
}

// What is said of an error with this code after these calls.
func reasonAfter(code codes.Code, calls ...ended) pb.ErrorClaim_Reason {
	in := newInbound("/a.S/M")
	for _, one := range calls {
		in.record(outbound{path: one.path, started: one.started, code: one.code,
			claim: Missing, attempts: 1})
	}
	_, detail := in.decide(code, "")
	return detail.Reason
}

func TestCorrelation(t *testing.T) {
	const bad, ok, answer = codes.Unavailable, codes.OK, codes.NotFound
	for name, row := range map[string]struct{ got, expect pb.ErrorClaim_Reason }{
		"failed": {reasonAfter(bad, ended{"/b/M", 0, bad}), pb.ErrorClaim_AT_LEAST_ONCE},
		"settled by a later success": {reasonAfter(bad, ended{"/b/M", 0, bad},
			ended{"/b/M", 1, ok}), pb.ErrorClaim_OWN},
		"not by one beside it": {reasonAfter(bad, ended{"/b/M", 0, bad},
			ended{"/b/M", 0, ok}), pb.ErrorClaim_AT_LEAST_ONCE},
		"not by another edge's": {reasonAfter(bad, ended{"/b/M", 0, bad},
			ended{"/c/M", 1, ok}), pb.ErrorClaim_AT_LEAST_ONCE},
		"called again": {reasonAfter(bad, ended{"/b/M", 0, bad},
			ended{"/b/M", 1, bad}), pb.ErrorClaim_PROPAGATED},
		"called side by side": {reasonAfter(bad, ended{"/b/M", 0, bad},
			ended{"/b/M", 0, bad}), pb.ErrorClaim_AT_LEAST_ONCE},
		"an answer handed on": {reasonAfter(answer, ended{"/b/M", 0, answer}),
			pb.ErrorClaim_PROPAGATED},
		"an answer and another error": {reasonAfter(bad, ended{"/b/M", 0, answer}),
			pb.ErrorClaim_OWN},
	} {
		if row.got != row.expect {
			t.Errorf("%s: got %v, expected %v", name, row.got, row.expect)
		}
	}
}
