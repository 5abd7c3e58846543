# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# The gRPC that the filters are built for: its library as target eown_grpc_core,
# GRPC_VERSION (of the core), and in EOWN_GRPC_TREE the source tree with its
# internal headers. Either the installed library, or a build of gRPC from source
# that this one is a part of.
add_library(eown_grpc_core INTERFACE)

# tree_version(RESULT): the core's version of the tree.
function(tree_version result)
  if(NOT EXISTS ${EOWN_GRPC_TREE}/src/core/lib/channel/channel_stack.h)
    message(FATAL_ERROR "EOWN_GRPC_SOURCE_DIR=${EOWN_GRPC_TREE}: expected gRPC's "
      "source tree, with src/core/lib/channel/channel_stack.h in it")
  endif()
  file(STRINGS ${EOWN_GRPC_TREE}/CMakeLists.txt line
    REGEX "^set\\(gRPC_CORE_VERSION ")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" version "${line}")
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

if(TARGET grpc)
  # Both are compiled with the same options, so that their layouts agree. A
  # static gRPC must not get into a shared library of ours as well.
  set(EOWN_GRPC_TREE ${grpc_SOURCE_DIR})
  tree_version(GRPC_VERSION)
  set(GRPC_VERSION ${GRPC_VERSION} PARENT_SCOPE)
  target_link_libraries(eown_grpc_core INTERFACE grpc)
  get_target_property(EOWN_GRPC_LIBRARY_TYPE grpc TYPE)
  string(REPLACE _LIBRARY "" EOWN_GRPC_LIBRARY_TYPE ${EOWN_GRPC_LIBRARY_TYPE})
  set(EOWN_GRPC_OPTIONS -DEOWN_GRPC_FROM_SOURCE)
  message(STATUS "eown: with gRPC from ${EOWN_GRPC_TREE}, core ${GRPC_VERSION}")
  return()
endif()

pkg_check_modules(GRPC REQUIRED IMPORTED_TARGET GLOBAL grpc)
set(GRPC_VERSION ${GRPC_VERSION} PARENT_SCOPE) # for the pkg-config file
target_link_libraries(eown_grpc_core INTERFACE PkgConfig::GRPC)
set(EOWN_GRPC_OPTIONS -UNDEBUG)

# gRPC's internal headers: a tree that was given, or Debian's source package.
if(EOWN_GRPC_SOURCE_DIR)
  set(EOWN_GRPC_TREE ${EOWN_GRPC_SOURCE_DIR})
else()
  set(EOWN_GRPC_TREE ${PROJECT_SOURCE_DIR}/build/grpc-source)
  if(NOT EXISTS ${EOWN_GRPC_TREE}/.complete)
    message(STATUS "Fetching the source package of gRPC for its headers")
    execute_process(
      COMMAND ${CMAKE_CURRENT_LIST_DIR}/fetch-grpc-source ${EOWN_GRPC_TREE}
      RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "The source package of gRPC could not be had. Pass "
        "the tree of the installed version: -DEOWN_GRPC_SOURCE_DIR=DIR")
    endif()
  endif()
endif()
tree_version(version)
if(NOT version VERSION_EQUAL GRPC_VERSION)
  message(FATAL_ERROR "The gRPC tree ${EOWN_GRPC_TREE} is core ${version}, the "
    "installed library is core ${GRPC_VERSION}: expected the same")
endif()

# gRPC's layouts depend on NDEBUG, and Debian's packages are built without it.
# This function takes another argument in a library built the other way.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::GRPC)
check_cxx_source_compiles("
  #include <absl/status/status.h>
  struct grpc_stream_refcount;
  void grpc_stream_ref_init(grpc_stream_refcount *, int,
                            void (*)(void *, absl::Status), void *,
                            const char *);
  int main() { return reinterpret_cast<void *>(
      static_cast<void (*)(grpc_stream_refcount *, int,
                           void (*)(void *, absl::Status), void *,
                           const char *)>(grpc_stream_ref_init)) == nullptr; }
" EOWN_GRPC_WITHOUT_NDEBUG)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT EOWN_GRPC_WITHOUT_NDEBUG)
  message(FATAL_ERROR "The installed gRPC library was built with NDEBUG (or "
    "another abseil): expected one built without, as Debian's packages are")
endif()

