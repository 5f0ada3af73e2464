#pragma once
// The files of the browser UI: those inside the binary, or a folder on disk in their place. I/O thread, which
// waits for no disk: a folder's files are read by a thread of their own. A file that is not there is a value.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

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
  virtual boost::asio::awaitable<std::optional<StaticFile>> find(std::string path) const = 0;
};

std::unique_ptr<StaticFiles> make_embedded_files();

// Reads the files anew for each request, up to 32 MiB each. Throws std::runtime_error when `folder` cannot be
// opened.
std::unique_ptr<StaticFiles> make_folder_files(const std::filesystem::path& folder);

}  // namespace parley::app::server
