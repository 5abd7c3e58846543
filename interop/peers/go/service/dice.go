// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

package main

import "sync/atomic"

// SplitMix64 (Steele, Lea, Flood 2014): output number n of a seed.
func splitMix(seed, n uint64) uint64 {
	z := seed + (n+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// A dice says which calls fail: the same ones as an eown-node of this name and
// seed.
type dice struct {
	seed, healthyFirst uint64
	rate               float64
	thrown             atomic.Uint64
}

func newDice(o *options) *dice {
	d := &dice{seed: o.seed, healthyFirst: o.healthyFirst, rate: o.failRate}
	for _, c := range []byte(o.name) {
		d.seed = splitMix(d.seed, uint64(c))
	}
	return d
}

func (d *dice) throw() bool {
	n := d.thrown.Add(1) - 1
	unit := float64(splitMix(d.seed, n)>>11) / (1 << 53)
	return n >= d.healthyFirst && unit < d.rate
}
