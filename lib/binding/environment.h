// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_BINDING_ENVIRONMENT_H
#define EOWN_BINDING_ENVIRONMENT_H

namespace eown {

// Puts the mode that the environment variable EOWN_MODE names in force for the
// whole process; returns false where it names none. A bad value is logged and
// counted.
bool ReadEnvironment();

} // namespace eown

#endif // EOWN_BINDING_ENVIRONMENT_H
