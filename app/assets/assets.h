#pragma once
// The browser UI inside the binary: the files of web/dist as they were when this was built, or one page that
// says how to build the UI. Constant data, any thread; nothing here fails.

#include <span>
#include <string_view>

namespace parley::app::assets {

struct Asset {
  std::string_view path;  // from the site's root, "/index.html"
  std::string_view hash;  // of the content, hexadecimal
  std::string_view bytes;
  std::string_view gzip;  // the same compressed; empty: not worth it
};

std::span<const Asset> embedded_assets();  // ascending by path

// Nullptr: no such file.
const Asset* find_asset(std::string_view path);

}  // namespace parley::app::assets
