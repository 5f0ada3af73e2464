#include "retrieval/scan/folder_filter.h"

#include <utility>

#include "retrieval/scan/default_excludes.h"

namespace parley::retrieval::scan {
namespace {

using Verdict = IgnoreFile::Verdict;

std::string joined(const std::vector<std::string>& globs) {
  std::string text;
  for (const std::string& glob : globs) {
    text += glob + "\n";
  }
  return text;
}

std::string shown_file(const std::string& folder, const char* name) {
  return folder.empty() ? name : folder + "/" + name;
}

}  // namespace

FolderFilter::FolderFilter(const FolderRules& rules)
    : rules_(std::make_shared<const Rules>(Rules{.include = IgnoreFile(joined(rules.include), ""),
                                                 .exclude = IgnoreFile(joined(rules.exclude), ""),
                                                 .hidden = rules.hidden,
                                                 .max_file_bytes = rules.max_file_bytes})) {}

std::shared_ptr<const FolderFilter> FolderFilter::inside(std::shared_ptr<const FolderFilter> outer,
                                                         const std::string& folder,
                                                         std::string_view git_ignore,
                                                         std::string_view own_ignore) {
  IgnoreFile git(git_ignore, folder);
  IgnoreFile own(own_ignore, folder);
  if (git.is_empty() && own.is_empty()) {
    return outer;
  }
  std::shared_ptr<FolderFilter> filter(new FolderFilter);
  filter->rules_ = outer->rules_;
  filter->folder_ = folder;
  filter->git_ignore_ = std::move(git);
  filter->own_ignore_ = std::move(own);
  filter->outer_ = std::move(outer);
  return filter;
}

std::optional<std::string> FolderFilter::refusal(const Candidate& candidate) const {
  const auto& [path, kind, folder] = candidate;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (is_version_control(name)) {
    return "version control";
  }
  if (rules_->exclude.judge(path, kind) == Verdict::ignore) {
    return "excluded by the collection's settings";
  }
  Verdict verdict = Verdict::none;
  for (const FolderFilter* link = this; link != nullptr && verdict == Verdict::none;
       link = link->outer_.get()) {
    verdict = link->own_ignore_ ? link->own_ignore_->judge(path, kind) : Verdict::none;
    if (verdict == Verdict::ignore) {
      return "ignored by " + shown_file(link->folder_, kOwnIgnore);
    }
  }
  // What .parleyignore keeps, .gitignore cannot take away: notes are often left out of version control.
  for (const FolderFilter* link = this; link != nullptr && verdict == Verdict::none;
       link = link->outer_.get()) {
    verdict = link->git_ignore_ ? link->git_ignore_->judge(path, kind) : Verdict::none;
    if (verdict == Verdict::ignore) {
      return "ignored by " + shown_file(link->folder_, kGitIgnore);
    }
  }
  if (!is_kept_by_name(candidate)) {
    if (auto reason = default_refusal(candidate, name)) {
      return reason;
    }
  }
  if (kind == PathKind::file && !is_included(path)) {
    return "not among what the collection includes";
  }
  return std::nullopt;
}

std::optional<std::string> FolderFilter::default_refusal(const Candidate& candidate,
                                                         std::string_view name) const {
  if (const auto reason = default_exclusion(name, candidate.kind)) {
    return "left out by default: " + std::string(*reason);
  }
  if (!rules_->hidden && name.starts_with('.')) {
    return "hidden";
  }
  if (candidate.kind == PathKind::folder && candidate.folder >= 0 && may_be_build_output(name) &&
      is_project_folder(candidate.folder)) {
    return "left out by default: made by a build or a tool";
  }
  return std::nullopt;
}

bool FolderFilter::is_kept_by_name(const Candidate& candidate) const {
  for (const FolderFilter* link = this; link != nullptr; link = link->outer_.get()) {
    if (link->own_ignore_ && link->own_ignore_->judge(candidate.path, candidate.kind) != Verdict::none) {
      return link->own_ignore_->keeps_by_name(candidate.path, candidate.kind);
    }
  }
  return false;
}

// A glob of a folder includes all that lies below it.
bool FolderFilter::is_included(std::string_view path) const {
  if (rules_->include.is_empty() || rules_->include.judge(path, PathKind::file) == Verdict::ignore) {
    return true;
  }
  for (std::size_t end = path.rfind('/'); end != std::string_view::npos; end = path.rfind('/', end - 1)) {
    if (rules_->include.judge(path.substr(0, end), PathKind::folder) == Verdict::ignore) {
      return true;
    }
    if (end == 0) {
      break;
    }
  }
  return false;
}

}  // namespace parley::retrieval::scan
