# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# The Debian root with gRPC 1.83: source it with bash, after interop/setup.sh
# and with $top set. What runs in it sees the tree as /src.

root=$top/build/peers/root-1.83
root_version=1.83

root_packages=(g++ cmake ninja-build pkg-config libgrpc++-dev libprotobuf-dev
  protobuf-compiler protobuf-compiler-grpc libprotobuf-c-dev
  protobuf-c-compiler libxxhash-dev libjansson-dev libcli11-dev
  nlohmann-json3-dev libgtest-dev)

# The mirror that this system takes Debian's own packages from.
root_mirror() {
  apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(REPO_URI)' \
    'Created-By: Packages' |
    awk '$1 == "Debian" && $2 !~ /-security$/ { print $3; exit }'
}

# root_pins: gRPC and protobuf come from experimental, all else does not: they
# are linked with the abseil of sid.
root_pins() {
  printf '%s\n' 'Package: src:grpc src:protobuf' \
    'Pin: release a=experimental' 'Pin-Priority: 990'
}

# root_fill DIR: installs Debian into DIR. The Release file of experimental may
# be past its date.
root_fill() {
  local mirror packages work status=0
  mirror=$(root_mirror)
  if [ -z "$mirror" ]; then
    say "no mirror of Debian in apt's sources: expected one (apt-get update?)"
    return 1
  fi
  packages=$(IFS=,; echo "${root_packages[*]}")
  work=$(mktemp -d)
  root_pins >"$work/grpc"
  mmdebstrap --quiet --mode=root --variant=minbase --components=main \
    --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
    --aptopt='Acquire::Check-Valid-Until "false"' \
    --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --setup-hook='mkdir -p "$1/etc/apt/preferences.d"' \
    --setup-hook="copy-in $work/grpc /etc/apt/preferences.d" \
    --include="$packages" sid "$1" \
    "deb $mirror sid main" "deb $mirror experimental main" >&2 || status=1
  rm -rf "$work"
  return $status
}

# root_run COMMAND...: in the root, as if in the tree. The mount goes away with
# the command.
root_run() {
  mkdir -p "$root/src"
  unshare --mount --propagation private sh -c '
    root=$1 top=$2
    shift 2
    mount --bind "$top" "$root/src" &&
      exec chroot "$root" sh -c "cd /src && exec \"\$@\"" - "$@"' \
    - "$root" "$top" env LC_ALL=C.UTF-8 "$@"
}

# Makes the root where it is not there. What was begun goes away on a failure.
ensure_root() {
  [ ! -f "$root/.complete" ] || return 0
  say "installing a Debian root with gRPC $root_version (a minute or two)"
  rm -rf --one-file-system "$root"
  mkdir -p "$(dirname "$root")"
  if ! root_fill "$root"; then
    rm -rf --one-file-system "$root"
    say "the Debian root with gRPC $root_version could not be made"
    return 1
  fi
  local got
  got=$(chroot "$root" pkg-config --modversion grpc++)
  case $got in
    "$root_version".*) touch "$root/.complete" ;;
    *)
      rm -rf --one-file-system "$root"
      say "Debian experimental has gRPC $got: expected $root_version"
      return 1
      ;;
  esac
}
