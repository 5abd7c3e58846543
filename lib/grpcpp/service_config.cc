// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "service_config.h"

#include <algorithm>

namespace eown::grpcpp {
namespace {

std::string Text(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text == nullptr ? "" : text;
}

} // namespace

ServiceConfig::ServiceConfig(const std::string &json) {
  json_t *root = json_loadb(json.data(), json.size(), 0, nullptr);
  size_t i, j;
  json_t *config, *name;
  json_array_foreach(json_object_get(root, "methodConfig"), i, config) {
    Policy policy = ReadPolicy(config);
    json_array_foreach(json_object_get(config, "name"), j, name)
        AddName(name, policy);
  }
  json_decref(root);
}

ServiceConfig::Policy ServiceConfig::ReadPolicy(const json_t *method_config) {
  Policy policy;
  const json_t *retry = json_object_get(method_config, "retryPolicy");
  constexpr json_int_t kMost = 5; // gRPC's own limit
  policy.attempts = static_cast<uint32_t>(std::clamp<json_int_t>(
      json_integer_value(json_object_get(retry, "maxAttempts")), 0, kMost));
  size_t i;
  json_t *code;
  json_array_foreach(json_object_get(retry, "retryableStatusCodes"), i, code) {
    eown_status status;
    if (json_is_string(code) &&
        eown_status_parse(json_string_value(code), json_string_length(code),
                          &status))
      policy.codes |= eown_status_set{1} << status;
  }
  return policy;
}

void ServiceConfig::AddName(const json_t *name, const Policy &policy) {
  std::string service = Text(name, "service");
  policies_[service.empty() ? "" : "/" + service + "/" + Text(name, "method")] =
      policy;
}

eown_policy ServiceConfig::For(const std::string &path, eown_status status,
                               uint32_t *attempts) const {
  auto found = policies_.find(path);
  if (found == policies_.end())
    found = policies_.find(path.substr(0, path.rfind('/') + 1));
  if (found == policies_.end())
    found = policies_.find("");
  if (found == policies_.end() || found->second.attempts < 2)
    return EOWN_POLICY_NONE;
  if (!eown_status_set_has(found->second.codes, status))
    return EOWN_POLICY_NOT_LISTED;
  if (attempts != nullptr)
    *attempts = found->second.attempts;
  return EOWN_POLICY_COVERS;
}

} // namespace eown::grpcpp
