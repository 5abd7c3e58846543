# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# Shared by the runners (source it with bash): packages and builds. Everything
# it says goes to standard error.

say() { printf '%s\n' "$*" >&2; }

# packages_of KIND: the Debian packages that KIND needs.
packages_of() {
  case $1 in
    build) echo build-essential cmake ninja-build pkg-config dpkg-dev \
      libgrpc-dev libhiredis-dev libprotobuf-c-dev protobuf-c-compiler \
      libxxhash-dev \
      libjansson-dev zlib1g-dev libgraphviz-dev openssl ;;
    tests) packages_of build
      echo libgrpc++-dev libprotobuf-dev protobuf-compiler \
        protobuf-compiler-grpc libgtest-dev valgrind clang-format-14 \
        clang-tidy-14 redis-server chromium ;;
  esac
}

missing_packages() {
  local package
  for package in $(packages_of "$1"); do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
      'install ok installed') ;;
      *) echo "$package" ;;
    esac
  done
}

# ensure_packages KIND INSTALL: installs what is missing, or, where INSTALL is
# "no", says what is missing and fails.
ensure_packages() {
  local missing sudo=
  missing=$(missing_packages "$1" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  if [ "$2" = no ]; then
    say "missing packages: $missing"
    say "install them, or run without --no-install"
    return 1
  fi
  [ "$(id -u)" = 0 ] || sudo=sudo
  say "installing with apt-get: $missing"
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get -qq update >&2 &&
    $sudo apt-get -qq install --no-install-recommends -y $missing \
      >/dev/null </dev/null
}

# ensure_configured TOP PRESET [CMAKE_ARGUMENT...]: configures where that was not
# done yet, or where there are arguments.
ensure_configured() {
  local top=$1 preset=$2 log
  shift 2
  [ ! -f "$top/build/$preset/build.ninja" ] || [ $# -gt 0 ] || return 0
  say "configuring $preset"
  log=$(mktemp)
  if ! (cd "$top" && cmake --preset "$preset" "$@") >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# ensure_built TOP PRESET [TARGET...]: builds; silent where all is built.
ensure_built() {
  local dir=$1/build/$2 preset=$2
  shift 2
  case $(ninja -C "$dir" -n "$@" 2>/dev/null | tail -n 1) in
    *'no work to do.') return 0 ;;
  esac
  say "building $preset"
  NINJA_STATUS='[%f/%t] ' ninja -C "$dir" "$@" >&2
}
