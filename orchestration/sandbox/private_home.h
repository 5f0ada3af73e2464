#pragma once
// The private home of one program: the kept folder, made and given to the user as whom programs run; or,
// without a fence that would have one of its own, a folder that is removed at the end. One owner, one thread.
// What cannot be made is a problem in words.

#include <filesystem>
#include <string>

#include "orchestration/sandbox/program.h"
#include "orchestration/sandbox/tool_user.h"

namespace parley::orchestration::sandbox {

class PrivateHome {
 public:
  PrivateHome(const Access& access, const ToolUser& user);
  ~PrivateHome();
  PrivateHome(const PrivateHome&) = delete;
  PrivateHome& operator=(const PrivateHome&) = delete;

  const std::filesystem::path& path() const { return path_; }  // on the host; may be empty behind a fence
  const std::string& problem() const { return problem_; }

 private:
  void keep(const std::filesystem::path& home, const ToolUser& user);
  void make_temporary(const ToolUser& user);

  std::filesystem::path path_;
  std::string problem_;
  bool temporary_ = false;
};

}  // namespace parley::orchestration::sandbox
