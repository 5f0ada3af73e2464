#include "retrieval/scan/file_system.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <utility>

namespace parley::retrieval::scan {
namespace {

// "\040" and its like in mountinfo.
std::string without_escapes(std::string_view field) {
  std::string text;
  for (std::size_t at = 0; at < field.size(); ++at) {
    const std::string_view digits = field.substr(std::min(at + 1, field.size()), 3);
    if (field[at] == '\\' && digits.size() == 3 &&
        digits.find_first_not_of("01234567") == std::string_view::npos) {
      text.push_back(static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0')));
      at += 3;
    } else {
      text.push_back(field[at]);
    }
  }
  return text;
}

std::string_view next_field(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

std::optional<unsigned long> magic_of(int descriptor) {
  struct statfs status {};
  if (::fstatfs(descriptor, &status) != 0) {
    return std::nullopt;
  }
  return static_cast<unsigned long>(status.f_type) & 0xFFFFFFFFUL;  // signed on some machines
}

}  // namespace

MountTable::MountTable(const std::filesystem::path& root) {
  std::ifstream file("/proc/self/mountinfo");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::error_code unknown;  // then no mount point is below it
  const std::filesystem::path canonical = std::filesystem::canonical(root, unknown);
  read(text, unknown ? root.string() : canonical.string());
}

MountTable::MountTable(std::string_view mountinfo, const std::string& root) { read(mountinfo, root); }

void MountTable::read(std::string_view mountinfo, const std::string& root) {
  const std::string prefix = root.ends_with('/') ? root : root + "/";
  while (!mountinfo.empty()) {
    const std::size_t end = std::min(mountinfo.find('\n'), mountinfo.size());
    std::string_view line = mountinfo.substr(0, end);
    mountinfo.remove_prefix(std::min(end + 1, mountinfo.size()));
    for (int field = 0; field < 4; ++field) {
      next_field(line);
    }
    const std::string place = without_escapes(next_field(line));
    const std::size_t separator = line.find(" - ");
    if (separator != std::string_view::npos && place.size() > prefix.size() && place.starts_with(prefix)) {
      line.remove_prefix(separator + 3);
      types_[place.substr(prefix.size())] = std::string(next_field(line));
    }
  }
}

std::optional<std::string> MountTable::type_at(const std::string& path) const {
  const auto found = types_.find(path);
  return found == types_.end() ? std::nullopt : std::optional(found->second);
}

bool is_made_by_kernel(std::string_view type) {
  constexpr std::array<std::string_view, 18> kTypes = {
      "proc",   "sysfs",    "devtmpfs",   "devpts",   "cgroup", "cgroup2",   "debugfs", "tracefs", "bpf",
      "pstore", "efivarfs", "securityfs", "configfs", "mqueue", "hugetlbfs", "fusectl", "nsfs",    "autofs"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

std::optional<std::string_view> unwatchable_magic(unsigned long magic) {
  // linux/magic.h, and statfs(2) for those that it lacks.
  constexpr std::array<std::pair<unsigned long, std::string_view>, 15> kMagics = {{
      {NFS_SUPER_MAGIC, "NFS"},
      {SMB_SUPER_MAGIC, "SMB"},
      {0xFE534D42, "SMB"},
      {0xFF534D42, "CIFS"},
      {FUSE_SUPER_MAGIC, "FUSE"},
      {V9FS_MAGIC, "9P"},
      {AFS_SUPER_MAGIC, "AFS"},
      {0x6B414653, "AFS"},
      {0x00C36400, "Ceph"},
      {CODA_SUPER_MAGIC, "Coda"},
      {NCP_SUPER_MAGIC, "NCP"},
      {0x0BD00BD0, "Lustre"},
      {0x47504653, "GPFS"},
      {0x786F4256, "VirtualBox shared folders"},
      {0x013111A8, "IBRIX"},
  }};
  const auto* const found = std::find_if(kMagics.begin(), kMagics.end(),
                                         [magic](const auto& entry) { return entry.first == magic; });
  return found == kMagics.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string_view> unwatchable_file_system(int descriptor) {
  const auto magic = magic_of(descriptor);
  return magic ? unwatchable_magic(*magic) : std::nullopt;
}

bool is_btrfs(int descriptor) { return magic_of(descriptor) == BTRFS_SUPER_MAGIC; }

}  // namespace parley::retrieval::scan
