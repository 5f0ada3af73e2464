#include "orchestration/sandbox/declared_paths.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "orchestration/sandbox/paths.h"

namespace parley::orchestration::sandbox {

namespace {

namespace fs = std::filesystem;
using Paths = std::vector<DeclaredPath>;

constexpr int kMostLinks = 40;  // as the kernel has it

// There inside anyway.
constexpr std::array<std::string_view, 7> kOfTheSystem = {"/usr",   "/bin",   "/sbin",  "/lib",
                                                          "/lib32", "/lib64", "/libx32"};

bool is_of_usr(const fs::path& path) {
  return std::any_of(kOfTheSystem.begin(), kOfTheSystem.end(),
                     [&](std::string_view folder) { return lies_in(path, folder); });
}

bool is_link(const fs::path& path) {
  std::error_code ignored;
  return fs::is_symlink(fs::symlink_status(path, ignored));
}

// The program's own file: the operator named it, so it is there.
void add_program_file(const Program& program, Paths& paths) {
  const fs::path file = program.argv.front();
  if (!file.is_absolute() || file != file.lexically_normal() || lies_in(file, "/usr")) return;
  std::error_code error;
  const bool is_system = lies_in(fs::weakly_canonical(file, error), "/usr");
  if (is_system && lies_in(file, "/bin")) return;
  if (fs::is_regular_file(file, error)) paths.push_back({file, file, false});
}

// Of those that a place lies below, the outermost, which shows all links on the way; nullptr: none.
const DeclaredPath* folder_above(const fs::path& place, const Paths& paths) {
  const DeclaredPath* above = nullptr;
  for (const DeclaredPath& path : paths) {
    const bool is_above = path.destination != place && lies_in(place, path.destination);
    if (is_above && (above == nullptr || lies_in(above->destination, path.destination))) above = &path;
  }
  return above;
}

// Where the first link between the folder and a place in it leads; nothing: there is none.
std::optional<fs::path> behind_first_link(const fs::path& place, const DeclaredPath& folder) {
  std::error_code error;
  fs::path inside = folder.destination;
  fs::path outside = fs::weakly_canonical(folder.source, error);
  const fs::path rest = place.lexically_relative(folder.destination);
  for (auto part = rest.begin(); part != rest.end(); ++part) {
    outside /= *part;
    if (!is_link(outside)) {
      inside /= *part;
      continue;
    }
    fs::path behind = inside / fs::read_symlink(outside, error);  // an absolute one takes the whole place
    if (error) return std::nullopt;
    while (++part != rest.end()) behind /= *part;
    return behind.lexically_normal();
  }
  return std::nullopt;
}

// Nothing can be put where a folder that is bound shows a link: it goes to where the program comes by it.
fs::path place_inside(fs::path place, const Paths& paths) {
  for (int i = 0; i < kMostLinks; ++i) {
    const DeclaredPath* above = folder_above(place, paths);
    const auto behind = above != nullptr ? behind_first_link(place, *above) : std::nullopt;
    if (!behind) break;
    place = *behind;
  }
  return place;
}

// A file that is a link, and in no folder that is bound: the link is made, and leads to the file.
void keep_link(DeclaredPath& path, const Paths& paths, std::vector<DeclaredLink>& links) {
  std::error_code error;
  if (!is_link(path.source) || !fs::is_regular_file(path.source, error)) return;
  if (folder_above(path.destination, paths) != nullptr) return;
  fs::path target = fs::canonical(path.source, error);
  if (error) return;
  links.push_back({path.destination, target});
  path.destination = std::move(target);
}

void sort_once_each(Paths& paths) {
  // Of a path that is declared twice the writable one stays.
  std::sort(paths.begin(), paths.end(), [](const DeclaredPath& a, const DeclaredPath& b) {
    return a.destination != b.destination ? a.destination < b.destination : a.writable && !b.writable;
  });
  const auto same = [](const DeclaredPath& a, const DeclaredPath& b) {
    return a.destination == b.destination;
  };
  paths.erase(std::unique(paths.begin(), paths.end(), same), paths.end());
}

}  // namespace

DeclaredPaths declared_paths(const Program& program) {
  DeclaredPaths declared;
  Paths& paths = declared.paths;
  for (const fs::path& path : program.access.writable) paths.push_back({path, path, true});
  for (const fs::path& path : program.access.readable) paths.push_back({path, path, false});
  if (!program.access.home.empty()) paths.push_back({program.access.home, kHomeInside, true});
  const fs::path file = program.argv.front();
  const bool covered = std::any_of(paths.begin(), paths.end(), [&](const DeclaredPath& path) {
    return path.destination != kHomeInside && lies_in(file, path.destination);
  });
  if (!covered) add_program_file(program, paths);
  sort_once_each(paths);
  for (DeclaredPath& path : paths) {  // folders first: what lies in them needs to know where they are
    keep_link(path, paths, declared.links);
    path.destination = place_inside(path.destination, paths);
  }
  std::erase_if(paths, [](const DeclaredPath& path) {
    return path.destination != path.source &&
           is_of_usr(path.destination);  // it leads to what is there anyway
  });
  sort_once_each(paths);
  return declared;
}

}  // namespace parley::orchestration::sandbox
