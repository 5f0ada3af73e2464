#include "retrieval/scan/default_excludes.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace parley::retrieval::scan {
namespace {

using Reasons = std::unordered_map<std::string_view, std::string_view>;

constexpr std::size_t kLongestSuffix = 12;

void add(Reasons& reasons, std::string_view reason, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    reasons.emplace(name, reason);
  }
}

const Reasons& folder_reasons() {
  static const Reasons kReasons = [] {
    Reasons reasons;
    add(reasons, "dependencies",
        {"node_modules", "bower_components", "jspm_packages", "site-packages", "dist-packages", ".venv",
         "venv", ".tox", ".nox", ".bundle", ".cargo", ".rustup", ".m2", ".npm", ".yarn", ".pnpm-store"});
    add(reasons, "made by a build or a tool",
        {"__pycache__", "CMakeFiles", ".gradle", ".next", ".nuxt", ".svelte-kit", ".parcel-cache", ".cache",
         ".ccache", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".ipynb_checkpoints", ".terraform",
         "DerivedData", ".stack-work", ".eggs", "__MACOSX"});
    add(reasons, "a waste bin or a file system's own folder",
        {"lost+found", "$RECYCLE.BIN", "System Volume Information", ".Trash", ".Trashes", ".snapshots"});
    return reasons;
  }();
  return kReasons;
}

// By what stands behind the last dot, in small letters.
const Reasons& file_reasons() {
  static const Reasons kReasons = [] {
    Reasons reasons;
    add(reasons, "a picture",
        {"png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "webp", "ico", "heic", "avif", "psd", "xcf",
         "raw", "cr2", "nef"});
    add(reasons, "sound or film",
        {"mp3", "mp4", "m4a", "m4v", "wav", "flac", "ogg", "oga", "ogv", "opus", "avi", "mkv", "mov", "webm",
         "wmv", "aac"});
    add(reasons, "a program or a part of one",
        {"o", "obj", "a", "so", "dylib", "dll", "exe", "lib", "pyc", "pyo", "class", "elc", "wasm", "ko",
         "pdb", "beam", "mo", "gmo"});
    add(reasons, "an archive of many files",
        {"zip", "7z", "rar", "tar", "tgz", "tbz2", "txz", "jar", "war", "apk", "deb", "rpm", "iso", "dmg",
         "img", "cab", "whl", "gem"});
    add(reasons, "a font", {"ttf", "otf", "woff", "woff2", "eot", "pfb"});
    add(reasons, "a database or a model's weights",
        {"db", "sqlite", "sqlite3", "mdb", "gguf", "safetensors", "onnx", "npy", "npz", "pt", "parquet"});
    add(reasons, "a temporary file", {"tmp", "temp", "swp", "swo", "part", "crdownload", "lock"});
    return reasons;
  }();
  return kReasons;
}

std::optional<std::string_view> reason_in(const Reasons& reasons, std::string_view name) {
  const auto found = reasons.find(name);
  return found == reasons.end() ? std::nullopt : std::optional(found->second);
}

bool is_compressed_archive(std::string_view name) {
  constexpr std::array<std::string_view, 4> kEndings = {".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view end) { return name.ends_with(end); });
}

}  // namespace

bool is_version_control(std::string_view name) {
  constexpr std::array<std::string_view, 7> kNames = {".git", ".hg", ".svn", ".bzr", ".jj", "CVS", "_darcs"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::optional<std::string_view> default_exclusion(std::string_view name, PathKind kind) {
  if (kind == PathKind::folder) {
    if (name.starts_with("cmake-build-") || name.ends_with(".egg-info") || name.ends_with(".dSYM")) {
      return "made by a build or a tool";
    }
    return reason_in(folder_reasons(), name);
  }
  if (name.ends_with('~') || name.starts_with(".#") || name.starts_with("~$")) {
    return "a temporary file";
  }
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || name.size() - dot > kLongestSuffix) {
    return std::nullopt;
  }
  std::string small(name.substr(dot + 1));
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (is_compressed_archive(name)) {
    return "an archive of many files";
  }
  return reason_in(file_reasons(), small);
}

bool may_be_build_output(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames = {"build", "dist", "out",    "target",
                                                      "bin",   "obj",  "_build", "vendor"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool is_project_folder(int folder) {
  constexpr std::array<const char*, 16> kMarks = {
      "CMakeLists.txt", "package.json", "Cargo.toml",   "pom.xml",     "build.gradle", "build.gradle.kts",
      "pyproject.toml", "setup.py",     "go.mod",       "Makefile",    "meson.build",  "composer.json",
      "Gemfile",        "mix.exs",      "dune-project", "configure.ac"};
  return std::any_of(kMarks.begin(), kMarks.end(), [folder](const char* mark) {
    return ::faccessat(folder, mark, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
  });
}

}  // namespace parley::retrieval::scan
