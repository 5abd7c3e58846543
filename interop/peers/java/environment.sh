# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of the Java peer, with $here set.
build=$(cd "$here/../../.." && pwd)/build/peers/java
# Many nodes run at once: small heaps, few threads, a fast start.
java_options=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -Xmx96m
  -Xss512k -XX:-UsePerfData
  -Dio.grpc.netty.shaded.io.netty.allocator.numHeapArenas=1
  -Dio.grpc.netty.shaded.io.netty.allocator.numDirectArenas=1)
