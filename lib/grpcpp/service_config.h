// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_SERVICE_CONFIG_H
#define EOWN_GRPCPP_SERVICE_CONFIG_H

#include <jansson.h>

#include <map>
#include <string>

#include "eown/rules.h"
#include "eown/status.h"

namespace eown::grpcpp {

// The retry policies of a gRPC service config, as gRPC reads them: a method's
// own, else its service's, else the one for all.
class ServiceConfig {
public:
  // Reads the JSON text; of one that is none, or has no policies, NONE is all
  // that For answers.
  explicit ServiceConfig(const std::string &json);

  // How the policy of the method with this path relates to `status`. Where it
  // covers it, `*attempts` (may be null) becomes the maximum that gRPC makes.
  eown_policy For(const std::string &path, eown_status status,
                  uint32_t *attempts = nullptr) const;

private:
  struct Policy {
    uint32_t attempts = 0; // at most; below 2: there is no policy
    eown_status_set codes = 0;
  };

  static Policy ReadPolicy(const json_t *method_config);
  void AddName(const json_t *name, const Policy &policy);

  // By "/service/method", by "/service/", and by "" for all.
  std::map<std::string, Policy> policies_;
};

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_SERVICE_CONFIG_H
