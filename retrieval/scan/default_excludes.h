#pragma once
// What nobody wants to search: left out unless a .parleyignore keeps it by name. Pure functions, any thread.

#include <optional>
#include <string_view>

#include "retrieval/scan/ignore_rules.h"

namespace parley::retrieval::scan {

// What a version control system keeps for itself: never wanted, whatever else is said.
bool is_version_control(std::string_view name);

// Why a name is left out ("dependencies", "a picture"); none: it is not.
std::optional<std::string_view> default_exclusion(std::string_view name, PathKind kind);

// "build", "target", …: made by a build where a project lies beside it, an ordinary word where not.
bool may_be_build_output(std::string_view name);
// Whether the open folder holds what builds are described in (CMakeLists.txt, package.json, …).
bool is_project_folder(int folder);

}  // namespace parley::retrieval::scan
