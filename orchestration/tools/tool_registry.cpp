#include "orchestration/tools/tool_registry.h"

#include <exception>
#include <utility>

#include "orchestration/tools/clean_output.h"
#include "orchestration/tools/parse_config.h"
#include "orchestration/tools/private_files.h"
#include "orchestration/tools/read_tools_file.h"
#include "orchestration/tools/sha256.h"
#include "orchestration/tools/trusted_file.h"

namespace parley::orchestration::tools {
namespace {

ConfigIssue name_issue(const std::string& sentence) {
  return {.severity = ConfigIssue::Severity::warning, .place = {}, .message = sentence};
}

}  // namespace

ToolRegistry::ToolRegistry(std::filesystem::path file, Environment environment,
                           std::vector<std::unique_ptr<ToolSource>> sources)
    : path_(std::move(file)),
      environment_(std::move(environment)),
      sources_(std::move(sources)),
      offers_(sources_.size()) {
  auto state = std::make_shared<RegistryState>();
  state->file = std::make_shared<const ToolsFile>();
  if (!path_.empty()) state->starting.push_back(path_.filename().string());
  current_ = std::move(state);
}

std::shared_ptr<const RegistryState> ToolRegistry::current() const {
  const std::lock_guard lock(current_mutex_);
  return current_;
}

// True: the bytes are others than last time.
bool ToolRegistry::reload_file(RegistryState& next) {
  if (path_.empty()) return false;
  TrustedFile bytes = read_trusted_file(path_, kMaxConfigBytes);
  std::string seen = bytes.problem.empty() ? sha256_hex(bytes.bytes) : bytes.problem;
  if (seen == seen_) return false;
  seen_ = std::move(seen);
  if (!bytes.problem.empty()) {
    next.error = std::move(bytes.problem);
    return true;
  }
  ToolsFile file = parse_tools_file(bytes.bytes, path_.parent_path(), environment_);
  if (!file.usable) {
    next.error = path_.string() + ": " + file.issues.front().message;
    return true;
  }
  file.content_hash = seen_;
  hide_from_programs(file, {path_});
  next.error.clear();
  next.file = std::make_shared<const ToolsFile>(std::move(file));
  configured_ = false;
  return true;
}

bool ToolRegistry::ask_sources() {
  bool changed = false;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    ToolOffer offer = sources_[i]->offer();
    if (offer.version == offers_[i].version) continue;
    offers_[i] = std::move(offer);
    changed = true;
  }
  return changed;
}

bool ToolRegistry::refresh() {
  const std::lock_guard turn(refreshing_);
  try {
    return look();
  } catch (const std::exception&) {
    seen_.clear();  // so that the file is read, and the sources are configured, once more
    throw;
  }
}

bool ToolRegistry::look() {
  const auto before = current();
  RegistryState next{.tools = {},
                     .file = before->file,
                     .error = before->error,
                     .issues = {},
                     .starting = {},
                     .version = before->version + 1};
  bool changed = reload_file(next);
  if (!configured_) {
    for (const auto& source : sources_) source->configure(*next.file);
    configured_ = true;
  }
  changed = ask_sources() || changed;
  if (!changed) return false;
  std::vector<ToolPointer> tools;
  next.issues = next.file->issues;
  for (const ToolOffer& offer : offers_) {
    tools.insert(tools.end(), offer.tools.begin(), offer.tools.end());
    next.issues.insert(next.issues.end(), offer.issues.begin(), offer.issues.end());
    next.starting.insert(next.starting.end(), offer.starting.begin(), offer.starting.end());
  }
  next.tools = ToolSet(tools);
  for (const std::string& sentence : next.tools.skipped()) next.issues.push_back(name_issue(sentence));
  // Programs and servers are quoted in some, and every client sees them.
  for (ConfigIssue& issue : next.issues)
    issue.message = redacted(std::move(issue.message), next.file->secrets);
  const std::lock_guard lock(current_mutex_);
  current_ = std::make_shared<const RegistryState>(std::move(next));
  return true;
}

}  // namespace parley::orchestration::tools
