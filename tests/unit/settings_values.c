/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "settings_values.h"

#define GOOD(name, value)                                                      \
  { EOWN_SETTING_##name, true, value }
#define BAD(name, value)                                                       \
  { EOWN_SETTING_##name, false, value }

/* clang-format off */
const settings_value settings_values[] = {
    GOOD(mode, "off"), GOOD(mode, "observe"), GOOD(mode, "enforce"),
    GOOD(mode, "0"), GOOD(mode, "1"), GOOD(mode, "2"),
    BAD(mode, ""), BAD(mode, "3"), BAD(mode, "-1"), BAD(mode, "on"),
    BAD(mode, "enforce "), BAD(mode, "enforced"), BAD(mode, "1.0"),
    BAD(mode, "22"),

    GOOD(service_name, "a"), GOOD(service_name, "shop.Cart"),
    GOOD(service_name, "with space"), GOOD(service_name, NAME_108),
    BAD(service_name, NAME_109), BAD(service_name, "line\n"),
    BAD(service_name, "tab\t"), BAD(service_name, "del\x7f"),
    BAD(service_name, "caf\xc3\xa9"), BAD(service_name, "\x01"),

    GOOD(retry_budget_percent, "0"), GOOD(retry_budget_percent, "20"),
    GOOD(retry_budget_percent, "1000"), GOOD(retry_budget_percent, "-1"),
    GOOD(retry_budget_percent, "0.5"), GOOD(retry_budget_percent, "12.5"),
    BAD(retry_budget_percent, ""), BAD(retry_budget_percent, "1001"),
    BAD(retry_budget_percent, "1000.5"), BAD(retry_budget_percent, "-2"),
    BAD(retry_budget_percent, "-0.5"), BAD(retry_budget_percent, "nan"),
    BAD(retry_budget_percent, "inf"), BAD(retry_budget_percent, "-inf"),
    BAD(retry_budget_percent, "1e999"), BAD(retry_budget_percent, "10%"),
    BAD(retry_budget_percent, "ten"), BAD(retry_budget_percent, "5 "),
    BAD(retry_budget_percent, "1,5"), BAD(retry_budget_percent, "--1"),

    GOOD(retry_budget_min_per_second, "0"),
    GOOD(retry_budget_min_per_second, "10"),
    GOOD(retry_budget_min_per_second, "0.25"),
    GOOD(retry_budget_min_per_second, "1000000"),
    BAD(retry_budget_min_per_second, ""),
    BAD(retry_budget_min_per_second, "-1"),
    BAD(retry_budget_min_per_second, "1000001"),
    BAD(retry_budget_min_per_second, "nan"),
    BAD(retry_budget_min_per_second, "10/s"),

    GOOD(send_pushback, "0"), GOOD(send_pushback, "1"),
    BAD(send_pushback, ""), BAD(send_pushback, "2"),
    BAD(send_pushback, "-1"), BAD(send_pushback, "true"),
    GOOD(trust_boundary, "0"), GOOD(trust_boundary, "1"),
    BAD(trust_boundary, "yes"), BAD(trust_boundary, "2"),
    GOOD(chain_stop, "0"), GOOD(chain_stop, "1"),
    BAD(chain_stop, "off"), BAD(chain_stop, "10"),
    GOOD(own_unreachable, "0"), GOOD(own_unreachable, "1"),
    BAD(own_unreachable, "0x1"), BAD(own_unreachable, "1 "),

    GOOD(claim_key_alias, "x-uber-error-claim"),
    GOOD(claim_key_alias, "a"), GOOD(claim_key_alias, "a.b_c-0"),
    GOOD(claim_key_alias, KEY_63),
    BAD(claim_key_alias, KEY_64), BAD(claim_key_alias, "X-Claim"),
    BAD(claim_key_alias, "te"), BAD(claim_key_alias, "content-type"),
    BAD(claim_key_alias, "a b"), BAD(claim_key_alias, ":path"),
    BAD(claim_key_alias, "a\n"), BAD(claim_key_alias, "caf\xc3\xa9"),
    BAD(claim_key_alias, "a,b"), BAD(claim_key_alias, "a/b"),

    GOOD(faults, "UNAVAILABLE"), GOOD(faults, "unavailable"),
    GOOD(faults, "NOT_FOUND,Internal"),
    GOOD(faults, "UNKNOWN,DEADLINE_EXCEEDED,RESOURCE_EXHAUSTED,ABORTED,"
                 "INTERNAL,UNAVAILABLE,DATA_LOSS"),
    BAD(faults, "NOPE"), BAD(faults, "UNAVAILABLE,"),
    BAD(faults, ",UNAVAILABLE"), BAD(faults, "UNAVAILABLE,,INTERNAL"),
    BAD(faults, "UNAVAILABLE;INTERNAL"), BAD(faults, "UNAVAIL"),
    BAD(faults, "UNAVAILABLE,NOPE"), BAD(faults, ","),

    GOOD(pins, "*=fail-open"), GOOD(pins, "/a.B/C=fail-close"),
    GOOD(pins, "/in.S/M>/out.S/*=fail-open,*=fail-close"),
    BAD(pins, "/a.B/C"), BAD(pins, "/a.B/C=open"), BAD(pins, "=fail-open"),
    BAD(pins, "/a.B/C=fail-open,"),

    GOOD(memory, "0"), GOOD(memory, "1"), BAD(memory, "on"), BAD(memory, ""),
    GOOD(memory_edges, "1"), GOOD(memory_edges, "1048576"),
    BAD(memory_edges, "0"), BAD(memory_edges, "1048577"),
    BAD(memory_edges, "-1"), BAD(memory_edges, ""), BAD(memory_edges, "1e3"),
    GOOD(memory_half_life_s, "1"), GOOD(memory_half_life_s, "1073741824"),
    BAD(memory_half_life_s, "0"), BAD(memory_half_life_s, "1073741825"),
    BAD(memory_half_life_s, "1h"), BAD(memory_half_life_s, ""),
    GOOD(memory_file, "m"), GOOD(memory_file, "/var/lib/shop/memory"),
    BAD(memory_file, ""),
    GOOD(memory_file_interval_ms, "10"),
    GOOD(memory_file_interval_ms, "86400000"),
    BAD(memory_file_interval_ms, "9"), BAD(memory_file_interval_ms, " 10"),
    BAD(memory_file_interval_ms, "86400001"),
    GOOD(memory_redis, "localhost:6379"), GOOD(memory_redis, "[::1]:6379"),
    GOOD(memory_redis, "unix:/run/redis.sock"),
    GOOD(memory_redis, ":pa:s@w@10.0.0.1:1"),
    GOOD(memory_redis, "redis://:secret@redis:65535"),
    GOOD(memory_redis, ":secret@unix:/run/redis.sock"),
    BAD(memory_redis, ""), BAD(memory_redis, "localhost"),
    BAD(memory_redis, "localhost:0"), BAD(memory_redis, "localhost:65536"),
    BAD(memory_redis, "localhost:6379/0"), BAD(memory_redis, ":6379"),
    BAD(memory_redis, "::1:6379"), BAD(memory_redis, "unix:"),
    BAD(memory_redis, "user:pw@redis:6379"), BAD(memory_redis, ":@redis:6379"),
    GOOD(memory_redis_interval_ms, "10"),
    GOOD(memory_redis_interval_ms, "86400000"),
    BAD(memory_redis_interval_ms, "0"), BAD(memory_redis_interval_ms, "x"),
};
/* clang-format on */

const size_t settings_values_count =
    sizeof settings_values / sizeof *settings_values;
