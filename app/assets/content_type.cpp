#include "app/assets/content_type.h"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::app::assets {
namespace {

constexpr std::size_t kHashLength = 8;  // of Vite's file names
constexpr std::string_view kHashedFolder = "/assets/";

constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kTypes = {{
    {".css", "text/css; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
    {".ico", "image/x-icon"},
    {".jpg", "image/jpeg"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".png", "image/png"},
    {".svg", "image/svg+xml"},
    {".txt", "text/plain; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".webmanifest", "application/manifest+json"},
    {".webp", "image/webp"},
    {".woff2", "font/woff2"},
}};

bool is_hash_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

}  // namespace

std::string_view content_type(std::string_view path) {
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

bool has_hashed_name(std::string_view path) {
  const auto dot = path.rfind('.');
  if (!path.starts_with(kHashedFolder) || dot == std::string_view::npos) return false;
  if (dot < kHashedFolder.size() + kHashLength + 1) return false;
  const std::string_view hash = path.substr(dot - kHashLength, kHashLength);
  return path[dot - kHashLength - 1] == '-' && std::all_of(hash.begin(), hash.end(), is_hash_character);
}

}  // namespace parley::app::assets
