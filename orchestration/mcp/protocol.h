#pragma once
// The two eras of the Model Context Protocol and what names and numbers they use. Plain values and functions,
// any thread; never fails.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "inference/json/json.h"

namespace parley::orchestration::mcp {

// Legacy: an `initialize` handshake opens a session. Modern: no session, each request says its version.
enum class Era : std::uint8_t { legacy, modern };

inline constexpr std::string_view kModernVersion = "2026-07-28";
// Newest first; the first is what we ask for.
inline constexpr std::array<std::string_view, 4> kLegacyVersions = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                                    "2024-11-05"};

struct Dialect {
  Era era = Era::modern;
  std::string version{kModernVersion};
};

inline constexpr std::int64_t kMethodNotFound = -32601;
inline constexpr std::int64_t kHeaderMismatch = -32020;
inline constexpr std::int64_t kMissingCapability = -32021;
inline constexpr std::int64_t kUnsupportedVersion = -32022;

// Only a modern server sends these.
bool is_modern_error(std::int64_t code);
bool is_legacy_version(std::string_view version);

inference::json::JsonObject client_info();
// Adds to `params` what each modern request carries in its _meta.
void add_modern_meta(inference::json::JsonObject& params);

}  // namespace parley::orchestration::mcp
