/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "nginx.h"

#include <arpa/inet.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gtest_c.h"

static const char configuration[] = "daemon off;\n"
                                    "master_process off;\n"
                                    "pid pid;\n"
                                    "error_log stderr error;\n"
                                    "events { worker_connections 256; }\n"
                                    "http {\n"
                                    "  access_log off;\n"
                                    "  client_body_temp_path .;\n"
                                    "  proxy_temp_path .;\n"
                                    "  fastcgi_temp_path .;\n"
                                    "  uwsgi_temp_path .;\n"
                                    "  scgi_temp_path .;\n"
                                    "  server {\n"
                                    "    listen 127.0.0.1:%d http2;\n"
                                    "    location / {\n"
                                    "      grpc_pass grpc://127.0.0.1:%d;\n"
                                    "      error_page 502 = @unreachable;\n"
                                    "    }\n"
                                    "    location @unreachable {\n"
                                    "      internal;\n"
                                    "      default_type application/grpc;\n"
                                    "      add_header grpc-status 14;\n"
                                    "      return 204;\n"
                                    "    }\n"
                                    "  }\n"
                                    "}\n";

static struct sockaddr_in local(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/* A port that is free now: nginx cannot be asked which one it took. */
static int free_port(void) {
  struct sockaddr_in address = local(0);
  socklen_t size = sizeof address;
  int end = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(end, (struct sockaddr *)&address, size) != 0 ||
      getsockname(end, (struct sockaddr *)&address, &size) != 0)
    abort();
  close(end);
  return ntohs(address.sin_port);
}

static bool takes_connections(void *user) {
  const nginx *proxy = user;
  struct sockaddr_in address = local(proxy->port);
  int end = socket(AF_INET, SOCK_STREAM, 0);
  bool connected =
      connect(end, (const struct sockaddr *)&address, sizeof address) == 0;
  close(end);
  return connected;
}

static void configure(const nginx *proxy, const e2e_node *node, char *path) {
  char text[sizeof configuration + 16];
  int length =
      snprintf(text, sizeof text, configuration, proxy->port, node->port);
  test_folder_path(&proxy->folder, "nginx.conf", path);
  test_file_write(path, text, (size_t)length);
}

void nginx_start(nginx *proxy, const e2e_node *node) {
  char path[128];
  test_folder_make(&proxy->folder);
  proxy->port = free_port();
  configure(proxy, node, path);
  e2e_child_start(&proxy->child, E2E_WORDS(EOWN_NGINX, "-e", "stderr", "-p",
                                           proxy->folder.path, "-c", path));
  if (test_wait(takes_connections, proxy))
    return;
  fprintf(stderr, "nginx does not come up on port %d\n", proxy->port);
  abort();
}

void nginx_stop(nginx *proxy) {
  e2e_run run;
  kill(proxy->child.pid, SIGTERM);
  e2e_child_finish(&proxy->child, &run);
  CHECK_EQ(0, run.status);
  e2e_run_clear(&run);
  test_folder_remove(&proxy->folder);
}
