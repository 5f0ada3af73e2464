#pragma once
// Files in the data folder that only this user may read (mode 0600). Blocks; any thread. What fails is a
// sentence; nullopt: done.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace parley::orchestration::tools {

// Puts a whole new content in place of the old: a crash leaves one or the other, never a mixture.
std::optional<std::string> replace_private_file(const std::filesystem::path& path, std::string_view bytes);

// Puts a file of more than max_bytes aside as NAME.1, in place of the one that is there. Several processes
// may do so at once. What fails leaves it as it is.
void put_aside_private_file(const std::filesystem::path& path, std::size_t max_bytes);

// Appends in one write, so that lines of several processes do not mix.
std::optional<std::string> append_private_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace parley::orchestration::tools
