# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# Shared by the runners (source it with bash): packages and builds. Everything
# it says goes to standard error.

say() { printf '%s\n' "$*" >&2; }

# in_debian PACKAGE VERSION: Debian has the package in that version or a later one.
in_debian() {
  local candidate
  candidate=$(apt-cache policy "$1" 2>/dev/null | awk '/Candidate:/ {print $2}')
  [ -n "$candidate" ] && [ "$candidate" != '(none)' ] &&
    dpkg --compare-versions "$candidate" ge "$2"
}

# toolchain COMMAND PACKAGE VERSION: the package that brings a toolchain, where
# the command is not there and Debian's is not too old.
toolchain() {
  command -v "$1" >/dev/null || ! in_debian "$2" "$3" || echo "$2"
}

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
        clang-tidy-14 redis-server nginx chromium ruby-grpc \
        libabsl-dev libc-ares-dev libprotoc-dev libre2-dev libssl-dev ;;
    peer_python) echo protobuf-compiler python3-grpcio python3-protobuf ;;
    peer_ruby) echo protobuf-compiler ruby-grpc ruby-google-protobuf \
      ruby-minitest ;;
    # Node.js from elsewhere than Debian brings npm along and conflicts with it.
    peer_node) command -v npm >/dev/null || echo nodejs npm ;;
    peer_cpp) packages_of build
      echo libgrpc++-dev libprotobuf-dev protobuf-compiler \
        protobuf-compiler-grpc libcli11-dev nlohmann-json3-dev ;;
    peer_cpp183) echo mmdebstrap debian-archive-keyring ;;
    peer_go) echo protobuf-compiler
      toolchain go golang-go 2:1.26 ;;
    peer_java) toolchain javac openjdk-17-jdk-headless 17
      toolchain mvn maven 3.8 ;;
    peer_rust) echo protobuf-compiler
      toolchain cargo cargo 1.88 ;;
    peer_python_current) python3 -c 'import ensurepip' 2>/dev/null ||
      echo python3-venv ;;
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

# peers_of ARGUMENT...: the peers that a command of eown-lab needs, one a line;
# none for mesh alone, which needs all.
peers_of() {
  local value
  while [ $# -gt 0 ]; do
    case $1 in
      --peer=* | --peers=*) value=${1#*=} ;;
      --peer | --peers) value=${2-} ;;
      *) value= ;;
    esac
    value=${value#?=} # of a node: A=python
    printf '%s' "${value:+${value//,/$'\n'}$'\n'}"
    shift
  done
}

# set_up_peers LAB INSTALL ARGUMENT...: sets up what `eown-lab ARGUMENT...`
# needs; silent where nothing is to be done. A peer whose toolchain this machine
# does not have (its set-up ends with 77) is a failure where it was asked for by
# name; of all peers of mesh it is left out: then `arguments` gets --peers with
# the others.
set_up_peers() {
  local lab=$1 install=$2 names=() setups setup option=() status left_out=
  arguments=()
  shift 2
  case "$1 $*" in
    *--help* | *'-?'* | *--usage*) return 0 ;;
    'chain '* | 'mesh '*) mapfile -t names < <(peers_of "$@") ;;
    *) return 0 ;;
  esac
  [ "$1" = mesh ] || [ ${#names[@]} -gt 0 ] || return 0
  [ "$install" = yes ] || option=(--no-install)
  # A name that is none is for the command itself to refuse.
  mapfile -t setups < <("$lab" peers --setup "${names[@]}" 2>/dev/null)
  for setup in "${setups[@]}"; do
    status=0
    "$setup" "${option[@]}" >&2 </dev/null || status=$?
    [ $status = 0 ] && continue
    [ $status = 77 ] && [ ${#names[@]} = 0 ] || return 1
    left_out+=" $setup "
  done
  [ -z "$left_out" ] || arguments=(--peers "$(peers_but "$lab" "$left_out")")
}

# peers_but LAB SETUPS: all peers but those of these set-ups, with commas.
peers_but() {
  local name text kept=
  while read -r name text; do
    case $2 in
      *" ${text##* } "*) say "peer $name: left out" ;;
      *) kept+=${kept:+,}$name ;;
    esac
  done < <("$1" peers)
  echo "$kept"
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
