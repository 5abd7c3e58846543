# Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of this peer, with $here set: the sources are those of
# the Python peer, gRPC is that of the virtual environment.
build=$(cd "$here/../../.." && pwd)/build/peers/python_current
sources=$(cd "$here/../python" && pwd)
python=$build/venv/bin/python3
unset PYTHONDONTWRITEBYTECODE # what is compiled is kept in the build folder
export PYTHONPATH=$sources:$build PYTHONPYCACHEPREFIX=$build/cache
export EOWN_PEER=$here
