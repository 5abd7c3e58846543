// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	pb "eown/interop/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// The node as a process of its own, as the lab starts it.
type process struct {
	name    string
	channel *grpc.ClientConn
	command *exec.Cmd
	lines   *bufio.Scanner
}

func start(t *testing.T, words ...string) *process {
	p := &process{command: exec.Command("../node", words...)}
	pipe, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.command.Process.Kill() })
	p.lines = bufio.NewScanner(pipe)
	var ready struct {
		Event, Name string
		Port        int
	}
	if !p.lines.Scan() || json.Unmarshal(p.lines.Bytes(), &ready) != nil || ready.Event != "ready" {
		t.Fatalf("%v: got %q, expected the event ready", words, p.lines.Text())
	}
	p.name = ready.Name
	p.channel, err = grpc.Dial(fmt.Sprintf("127.0.0.1:%d", ready.Port), grpc.WithInsecure())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.channel.Close() })
	return p
}

func (p *process) callee() string { return p.name + "=" + p.channel.Target() }

func (p *process) stop(t *testing.T, signal syscall.Signal) (end figures) {
	t.Helper()
	p.command.Process.Signal(signal)
	if !p.lines.Scan() || json.Unmarshal(p.lines.Bytes(), &end) != nil || end.Event != "exit" {
		t.Errorf("got %q, expected the event exit", p.lines.Text())
	}
	if p.lines.Scan() {
		t.Errorf("got %q after the exit", p.lines.Text())
	}
	if err := p.command.Wait(); err != nil {
		t.Errorf("%s: %v", p.name, err)
	}
	return end
}

func ask(p *process, path string, words ...string) (*pb.CallReply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	reply := new(pb.CallReply)
	err := p.channel.Invoke(metadata.AppendToOutgoingContext(ctx, words...), path,
		&pb.CallRequest{Id: 1}, reply)
	return reply, err
}

func askMany(p *process, n int) {
	var wait sync.WaitGroup
	for i := 0; i < n; i++ {
		wait.Add(1)
		go func() {
			ask(p, "/"+p.name+"/Call")
			wait.Done()
		}()
	}
	wait.Wait()
}

func TestAChainOfFour(t *testing.T) {
	for ownership, expected := range map[string][]uint64{
		"enforce": {20, 20, 20, 40}, "observe": {20, 40, 80, 160}, "stock": {20, 40, 80, 160}} {
		t.Run(ownership, func(t *testing.T) {
			nodes := []*process{start(t, "--name", "D", "--fail-rate", "1", "--ownership="+ownership)}
			for _, name := range []string{"C", "B", "A"} {
				nodes = append([]*process{start(t, "--name", name, "--attempts", "2", "--ownership",
					ownership, "--retry-codes", "aborted,unavailable", "--callee", nodes[0].callee())}, nodes...)
			}
			askMany(nodes[0], 20)
			var served []uint64
			var ends []figures
			for _, node := range nodes {
				ends = append(ends, node.stop(t, syscall.SIGTERM))
				served = append(served, ends[len(ends)-1].Served)
			}
			if !reflect.DeepEqual(served, expected) {
				t.Errorf("served %v, expected %v", served, expected)
			}
			checkClaims(t, ends[1], ownership)
		})
	}
}

// What B counts of claims.
func checkClaims(t *testing.T, b figures, ownership string) {
	t.Helper()
	seen := b.Callees[0]
	got := []uint64{b.ClaimsSent.Unclaimed, seen.Unclaimed, seen.Missing, b.RetriesStopped.Unclaimed}
	expected := []uint64{b.Served, seen.Errors, 0, 0}
	switch ownership {
	case "enforce":
		expected[3] = b.Served
	case "stock":
		expected = []uint64{0, 0, seen.Errors, 0}
	}
	if !reflect.DeepEqual(got, expected) {
		t.Errorf("sent, seen, missing, stopped: %v, expected %v", got, expected)
	}
}

func expectBelow(t *testing.T, below uint32) func(*pb.CallReply, error) {
	return func(reply *pb.CallReply, err error) {
		t.Helper()
		if err != nil || reply.NodesBelow != below {
			t.Errorf("got %v, %v, expected %d nodes below", reply, err, below)
		}
	}
}

func expectError(t *testing.T, err error, code codes.Code, message string) {
	t.Helper()
	if status.Code(err) != code || !strings.Contains(status.Convert(err).Message(), message) {
		t.Errorf("got %v, expected %v, %q", err, code, message)
	}
}

func TestCalleesAndCounts(t *testing.T) {
	good := start(t, "--name", "G")
	bad := start(t, "--name", "F", "--fail-rate", "1", "--fail-status", "internal",
		"--healthy-first", "1")
	both := start(t, "--name", "B", "--callee", bad.callee()+",fail-open", "--callee", good.callee())
	strict := start(t, "--name", "A", "--callee", bad.callee())

	expectBelow(t, 2)(ask(both, "/eown.interop.v1.Node/Call"))
	expectBelow(t, 1)(ask(both, "/B/Call"))
	expectBelow(t, 1)(ask(both, "/B/Call", "eown-node-callee", "G"))
	_, err := ask(both, "/B/Call", "eown-node-callee", "X")
	expectError(t, err, codes.InvalidArgument,
		"eown-node-callee: 'X': expected the name of a callee of B")
	_, err = ask(bad, "/F/Call", "eown-node-callee", "") // though it would fail by itself
	expectError(t, err, codes.InvalidArgument,
		"eown-node-callee: '': expected the name of a callee of F")
	_, err = ask(strict, "/A/Call")
	expectError(t, err, codes.Internal, "F fails by itself")

	stats := new(pb.StatsReply)
	err = both.channel.Invoke(context.Background(), "/eown.interop.v1.Node/Stats",
		&pb.StatsRequest{Reset_: true}, stats)
	expected := `{"event":"stats","name":"B","served":4,"errors":1,"own_failures":0,"made":5,` +
		`"retries_stopped":{"unclaimed":0,"budget":0,"chain":0},` +
		`"claims_sent":{"claimed":0,"unclaimed":0},"callees":[` +
		`{"name":"F","calls":2,"errors":1,"claimed":0,"unclaimed":0,"missing":1,"other":0},` +
		`{"name":"G","calls":3,"errors":0,"claimed":0,"unclaimed":0,"missing":0,"other":0}]}`
	if err != nil || stats.Json != expected {
		t.Errorf("got %v %s,\nexpected %s", err, stats.Json, expected)
	}
	if end := both.stop(t, syscall.SIGINT); end.Served != 0 || end.Callees[0].Name != "F" {
		t.Errorf("got %v, expected counts set to zero", end)
	}
}

func TestRefusals(t *testing.T) {
	for _, row := range []struct{ words, expected string }{
		{"--parallel", "-parallel"},
		{"--fail-rate 2", `"2" for flag -fail-rate: expected a number from 0 to 1`},
		{"--callee D", `"D" for flag -callee: expected NAME=HOST:PORT`},
		{"--fail-status OK", `"OK" for flag -fail-status`},
		{"--retry-codes UNAVAILABLE,SAD", `"UNAVAILABLE,SAD" for flag -retry-codes`},
		{"--context thread", `"thread" for flag -context: expected one of parent, none`},
		{"--attempts 0", `"0" for flag -attempts`},
		{"--attempts", "-attempts"},
		{"word", `"word"`},
	} {
		var errors strings.Builder
		command := exec.Command("../node", strings.Fields(row.words)...)
		command.Stderr = &errors
		output, _ := command.Output()
		if code := command.ProcessState.ExitCode(); code != 2 || len(output) > 0 ||
			!strings.Contains(errors.String(), row.expected) {
			t.Errorf("%s: status %d, %s%s", row.words, code, output, errors.String())
		}
	}
	help, err := exec.Command("../node", "--help").Output()
	if err != nil || !strings.Contains(string(help), "--callee NAME=HOST:PORT") {
		t.Errorf("--help: %v, %s", err, help)
	}
}

// The same calls fail as in an eown-node of this name and seed: outputs of
// SplitMix64 for the seed 0 are published.
func TestDice(t *testing.T) {
	if first := splitMix(0, 0); first != 0xe220a8397b1dcdaf {
		t.Errorf("got %x", first)
	}
	failures := func(rate float64, healthyFirst uint64) (n int) {
		d := newDice(&options{name: "D", seed: 7, failRate: rate, healthyFirst: healthyFirst})
		for i := 0; i < 1000; i++ {
			if d.throw() {
				n++
			}
		}
		return n
	}
	if half := failures(0.5, 0); half < 400 || half > 600 || half != failures(0.5, 0) {
		t.Errorf("got %d failures of 1000 at rate 0.5", half)
	}
	if n := failures(1, 990); n != 10 {
		t.Errorf("got %d failures, expected 10", n)
	}
}
