#include "orchestration/sandbox/plan_bytes.h"

#include <sys/resource.h>

#include "orchestration/sandbox/launch_plan.h"

namespace parley::orchestration::sandbox {

namespace {

PlanHeader plan_header(const PlanParts& parts, std::size_t num_variables) {
  const Limits& limits = parts.program.limits;
  PlanHeader header;
  header.user = parts.user.changed ? parts.user.user : 0;
  header.group = parts.user.group;
  header.fenced = parts.fence_arguments.empty() ? 0 : 1;
  header.niceness = ::getpriority(PRIO_PROCESS, 0);
  header.processes = static_cast<std::uint32_t>(limits.processes);
  header.open_files = static_cast<std::uint32_t>(limits.open_files);
  header.measure_data = limits.memory_measure == MemoryMeasure::private_data ? 1 : 0;
  header.memory_bytes = limits.memory_bytes;
  header.file_bytes = limits.file_bytes;
  header.processor_seconds = static_cast<std::uint64_t>(limits.processor_time.count());
  header.num_arguments = static_cast<std::uint32_t>(parts.program.argv.size());
  header.num_variables = static_cast<std::uint32_t>(num_variables);
  header.num_fence_arguments = static_cast<std::uint32_t>(parts.fence_arguments.size());
  header.num_paths = static_cast<std::uint32_t>(parts.paths.size());
  header.filter_bytes = static_cast<std::uint32_t>(parts.filter.size());
  return header;
}

void add_string(std::string& bytes, std::string_view text) {
  bytes += text;
  bytes += '\0';
}

}  // namespace

std::string plan_bytes(const PlanParts& parts) {
  std::map<std::string, std::string> environment = parts.program.environment;
  environment.try_emplace("HOME", parts.home.string());
  environment.try_emplace("PATH", kDefaultSearchPath);
  const PlanHeader header = plan_header(parts, environment.size());
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  for (const std::string& argument : parts.program.argv) add_string(bytes, argument);
  for (const auto& [name, value] : environment) {
    bytes += name;
    bytes += '=';
    add_string(bytes, value);
  }
  for (const std::string& argument : parts.fence_arguments) add_string(bytes, argument);
  const std::filesystem::path& directory = parts.program.working_directory;
  add_string(bytes, directory.empty() ? parts.home.string() : directory.string());
  for (const DeclaredPath& path : parts.paths) {
    add_string(bytes, (path.writable ? "w" : "r") + path.source.string());
  }
  return bytes + parts.filter;
}

}  // namespace parley::orchestration::sandbox
