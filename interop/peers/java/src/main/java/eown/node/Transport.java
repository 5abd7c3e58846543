// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.node;

import io.grpc.ServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The threads of a node: one for all its connections, and those of its calls. */
final class Transport {
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ExecutorService calls = Executors.newCachedThreadPool();

  NettyChannelBuilder channel(String target) {
    return NettyChannelBuilder.forTarget("dns:///" + target)
        .usePlaintext()
        .proxyDetector(address -> null)
        .disableServiceConfigLookUp()
        .eventLoopGroup(loop)
        .channelType(NioSocketChannel.class)
        .executor(calls);
  }

  ServerBuilder<?> server(InetSocketAddress address) {
    return NettyServerBuilder.forAddress(address)
        .bossEventLoopGroup(loop)
        .workerEventLoopGroup(loop)
        .channelType(NioServerSocketChannel.class)
        .executor(calls);
  }

  /** Lets go of the threads once they have nothing to do. */
  void close() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    calls.shutdown();
  }
}
