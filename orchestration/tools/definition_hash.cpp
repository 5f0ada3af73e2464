#include "orchestration/tools/definition_hash.h"

#include "inference/json/json_writer.h"
#include "orchestration/tools/sha256.h"

namespace parley::orchestration::tools {

DefinitionHash& DefinitionHash::add(std::string_view part) {
  bytes_ += std::to_string(part.size());
  bytes_ += ':';
  bytes_ += part;
  return *this;
}

DefinitionHash& DefinitionHash::add(const std::vector<std::string>& parts) {
  add(std::to_string(parts.size()));
  for (const std::string& part : parts) add(part);
  return *this;
}

DefinitionHash& DefinitionHash::add(const Launch& launch) {
  add(launch.argv);
  add(std::to_string(launch.environment.size()));
  for (const auto& [name, value] : launch.environment) add(name).add(value);
  add(launch.working_directory.string());
  add(launch.access.fence == sandbox::Fence::none ? "none" : "bubblewrap");
  add(launch.access.network == sandbox::Network::on ? "network" : "");
  for (const auto* paths : {&launch.access.readable, &launch.access.writable}) {
    add(std::to_string(paths->size()));
    for (const auto& path : *paths) add(path.string());
  }
  return add(launch.access.home.string());
}

DefinitionHash& DefinitionHash::add(const ToolSpec& spec) {
  return add(spec.name)
      .add(spec.description)
      .add(inference::json::to_json_text(spec.parameters))
      .add(spec.source);
}

std::string DefinitionHash::hex() const { return sha256_hex(bytes_); }

}  // namespace parley::orchestration::tools
