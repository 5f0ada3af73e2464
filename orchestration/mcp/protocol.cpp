#include "orchestration/mcp/protocol.h"

#include <algorithm>

namespace parley::orchestration::mcp {

using inference::json::JsonObject;
using inference::json::JsonValue;

bool is_modern_error(std::int64_t code) {
  return code == kHeaderMismatch || code == kMissingCapability || code == kUnsupportedVersion;
}

bool is_legacy_version(std::string_view version) {
  return std::find(kLegacyVersions.begin(), kLegacyVersions.end(), version) != kLegacyVersions.end();
}

JsonObject client_info() { return {{"name", "parley"}, {"version", "0.1.0"}}; }

void add_modern_meta(JsonObject& params) {
  JsonValue& meta = params["_meta"];
  if (!meta.is_object()) meta = JsonObject();
  JsonObject& fields = meta.get_object();
  fields["io.modelcontextprotocol/protocolVersion"] = kModernVersion;
  fields["io.modelcontextprotocol/clientInfo"] = client_info();
  fields["io.modelcontextprotocol/clientCapabilities"] = JsonObject();
}

}  // namespace parley::orchestration::mcp
