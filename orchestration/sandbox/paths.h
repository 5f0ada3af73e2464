#pragma once
// Questions about paths. They look at the file system, change nothing; any thread, throw nothing.

#include <filesystem>
#include <string>
#include <string_view>

namespace parley::orchestration::sandbox {

// By whole components: /a/b lies in /a and in /a/b, /ab does not lie in /a. Both absolute, without dots.
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

// The executable file that `name` means, as execvp finds it; empty: there is none.
std::filesystem::path find_program(const std::string& name, std::string_view search_path);

}  // namespace parley::orchestration::sandbox
