#pragma once
// The files of the browser UI: those inside the binary, or a folder on disk in their place. I/O thread.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::app::server {

struct StaticFile {
  std::string bytes;
  std::string gzip;  // empty: there is no compressed form
  std::string hash;  // of the content
};

class StaticFiles {
 public:
  virtual ~StaticFiles() = default;
  // `path` from the site's root, decoded, "/index.html". Nullopt: no such file. Whatever the path holds,
  // nothing outside the UI's folder is read.
  virtual std::optional<StaticFile> find(std::string_view path) const = 0;
};

std::unique_ptr<StaticFiles> make_embedded_files();

// Reads the files anew for each request. Throws std::runtime_error when `folder` cannot be opened.
std::unique_ptr<StaticFiles> make_folder_files(const std::filesystem::path& folder);

}  // namespace parley::app::server
